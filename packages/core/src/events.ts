import type { MetadataTypes } from "./event-metadata.ts";
import type { EventCategory } from "./ports/storage.ts";

interface EventKind<K extends string = string> {
  category: EventCategory;
  /** The event as a predicate, which follows the actor's name. */
  says: string;
  /** The same if it happened otherwise than usual. */
  saysOtherwise?: string;
  /** The only keys that metadata may have. No value may be a secret, a token, a password or a template's content. */
  metadata: readonly K[];
  /** Whether it belongs to a user's personal security log, and to no workspace. */
  personal?: true;
  /** Whether webhooks can subscribe to it. */
  webhook?: true;
  /** Whether it is indexed by its e-mail: for rare events that are stored nowhere else. */
  traced?: true;
}

// NoInfer: otherwise a kind without keys would be inferred from the table's own type to have all keys.
const kind = <K extends string = never>(
  category: EventCategory,
  says: string,
  metadata: readonly K[] = [],
  more: { personal?: true; webhook?: true; traced?: true } = {},
): EventKind<NoInfer<K>> => ({ category, says, metadata, ...more });
const audit = <K extends string = never>(says: string, ...metadata: K[]): EventKind<NoInfer<K>> =>
  kind("audit", says, metadata);
const personal = <K extends string = never>(says: string, ...metadata: K[]): EventKind<NoInfer<K>> =>
  kind("audit", says, metadata, { personal: true });
const email = <K extends string = never>(
  says: string,
  ...metadata: K[]
): EventKind<NoInfer<K> | "email_id"> => kind("email", says, ["email_id", ...metadata], { webhook: true });

const campaign = <K extends string = never>(
  says: string,
  ...metadata: K[]
): EventKind<NoInfer<K> | "campaign_id" | "name"> =>
  kind("campaign", says, ["campaign_id", "name", ...metadata]);

const domainStatus = (says: string) =>
  kind("audit", says, ["domain_id", "name", "reason"], { webhook: true });

/** All types of events, with their category, message, metadata and recipients (decisions §10 and §11). */
export const eventKinds = {
  "user.registered": personal("registered", "email"),
  "user.registration_repeated": personal("tried to register this address, which has an account"),
  "user.deleted": personal("deleted the account", "email"),
  "user.created": personal("created the account", "email", "is_admin"),
  "user.linked": personal("linked the account to the application's login", "external_id", "changes"),
  "user.updated": personal("changed the profile", "changes"),
  "user.promoted": personal("gave administrator rights"),
  "user.demoted": personal("took administrator rights away"),
  "user.login": personal("logged in", "session_id", "two_factor"),
  "user.login_failed": personal("failed to log in", "reason"),
  "user.logout": personal("logged out", "session_id"),
  "user.email_verified": personal("verified the e-mail address", "email"),
  "user.password_changed": personal("changed the password"),
  "user.password_reset": personal("reset the password"),
  "user.2fa_enabled": personal("enabled two-factor login"),
  "user.2fa_disabled": personal("disabled two-factor login", "by_administrator"),
  "session.revoked": personal("revoked a session", "session_id"),
  "session.others_revoked": {
    ...personal("revoked the other sessions", "count"),
    saysOtherwise: "revoked all sessions",
  },
  "workspace.created": audit("created the workspace", "name"),
  "workspace.updated": audit("changed the workspace", "changes"),
  "workspace.deleted": audit("deleted the workspace", "name", "id"),
  "workspace.trusted": audit("vouched for the workspace"),
  "workspace.distrusted": audit("withdrew the trust in the workspace"),
  "workspace.ownership_transferred": audit("transferred the ownership", "from", "to"),
  "invitation.created": audit("invited someone", "invitation_id", "email", "role"),
  "invitation.cancelled": audit("cancelled an invitation", "invitation_id", "email"),
  "invitation.accepted": audit("accepted an invitation", "invitation_id", "email", "role"),
  "invitation.declined": audit("declined an invitation", "invitation_id", "email"),
  "member.added": audit("added a member", "user_id", "role"),
  "member.role_updated": audit("changed a member's role", "user_id", "from", "to"),
  "member.removed": {
    ...audit("removed a member", "user_id", "role"),
    saysOtherwise: "left the workspace",
  },
  "template.created": audit("created a template", "template_id", "name"),
  "template.updated": audit("changed a template", "template_id", "changes"),
  "template.deleted": audit("deleted a template", "template_id", "name"),
  "template_version.created": audit(
    "created a template version",
    "template_id",
    "version_id",
    "version_number",
  ),
  "template_version.updated": audit(
    "changed a template version",
    "template_id",
    "version_id",
    "fields",
    "changes",
  ),
  "template_version.activated": audit("activated a template version", "template_id", "from", "to"),
  "template_version.deleted": audit(
    "deleted a template version",
    "template_id",
    "version_id",
    "version_number",
  ),
  "stylesheet.created": audit("created a stylesheet", "stylesheet_id", "name"),
  "stylesheet.updated": audit("changed a stylesheet", "stylesheet_id", "name", "fields", "changes"),
  "stylesheet.deleted": audit("deleted a stylesheet", "stylesheet_id", "name"),
  "inbound_endpoint.created": audit("created an endpoint for a relay's webhooks", "endpoint_id", "provider"),
  "inbound_endpoint.deleted": audit("removed an endpoint for a relay's webhooks", "endpoint_id", "provider"),
  "webhook.created": audit("created a webhook", "webhook_id", "url", "events", "filters"),
  "webhook.updated": audit("changed a webhook", "webhook_id", "changes"),
  "webhook.deleted": audit("deleted a webhook", "webhook_id", "url"),
  "webhook.secret_rotated": audit("rotated a webhook's secret", "webhook_id"),
  "webhook.redelivered": audit("redelivered a webhook delivery", "webhook_id", "delivery_id"),
  "webhook.tested": audit("tested a webhook", "webhook_id", "delivery_id"),
  "webhook.disabled": kind("webhook", "disabled a webhook", ["webhook_id", "reason"]),
  "domain.created": audit("added a sending domain", "domain_id", "name"),
  "domain.updated": audit("changed a sending domain", "domain_id", "changes"),
  "domain.deleted": audit("removed a sending domain", "domain_id", "name"),
  "domain.dkim_rotated": audit("rotated a sending domain's key", "domain_id", "name", "from", "to"),
  "domain.dkim_rotation_waiting": audit(
    "is waiting for the next key's DNS record to rotate a sending domain's key",
    "domain_id",
    "name",
    "record",
  ),
  "domain.verified": domainStatus("found a sending domain verified"),
  "domain.warning": domainStatus("found a sending domain's records missing or wrong"),
  "domain.failed": domainStatus("marked a sending domain as failed"),
  "smtp_server.created": audit("added a mail server", "smtp_server_id", "name", "host"),
  "smtp_server.updated": audit("changed a mail server", "smtp_server_id", "name", "changes"),
  "smtp_server.deleted": audit("removed a mail server", "smtp_server_id", "name", "host"),
  "smtp_server.tested": audit("tested a mail server", "smtp_server_id", "name", "ok"),
  "smtp_server.down": kind("system", "found a mail server to be down", ["smtp_server_id", "name", "reason"], {
    webhook: true,
  }),
  "smtp_server.recovered": kind("system", "found a mail server to work again", ["smtp_server_id", "name"], {
    webhook: true,
  }),
  "apikey.created": audit("created an API key", "api_key_id", "name", "prefix", "expires_at"),
  "apikey.expiring": audit(
    "announced the expiry of an API key",
    "api_key_id",
    "name",
    "prefix",
    "expires_at",
  ),
  "apikey.revoked": audit("revoked an API key", "api_key_id", "name", "prefix"),
  "settings.updated": audit("changed the settings", "changes"),
  "plan.created": audit("created a plan", "plan_id", "name", "former_default"),
  "plan.updated": audit("changed a plan", "plan_id", "changes", "former_default"),
  "plan.deleted": audit("deleted a plan", "plan_id", "name", "force", "unassigned"),
  "plan.default_set": audit("made a plan the default", "plan_id", "from"),
  "workspace.plan_assigned": audit("changed the workspace's plan", "from", "to"),
  "user.plan_assigned": audit("changed a user's plan", "user_id", "from", "to"),
  "attachment.created": audit("uploaded a file", "attachment_id", "name", "size"),
  "attachment.deleted": audit("deleted an uploaded file", "attachment_id", "name"),
  "email.queued": email("queued an e-mail", "template", "recipients", "test"),
  "email.sent": email("sent an e-mail", "accepted", "failed"),
  "email.delivery_delayed": email("reported an e-mail's delay", "attempt", "recipient", "reply"),
  "email.failed": email("failed to send an e-mail", "reply", "reason"),
  "email.bounced": email(
    "received a bounce for a recipient",
    "recipient",
    "class",
    "category",
    "reply",
    "source",
  ),
  "email.complained": email(
    "received a complaint from a recipient",
    "recipient",
    "class",
    "category",
    "reply",
    "source",
  ),
  "email.suppressed": email("skipped a suppressed recipient", "recipient", "origin"),
  "email.unsubscribed": { ...email("unsubscribed from a list", "recipient", "list"), traced: true },
  "email.opened": {
    ...email("noticed that an e-mail was opened", "recipient", "agent_class"),
    traced: true,
  },
  "email.clicked": {
    ...email("noticed that a link of an e-mail was followed", "recipient", "url", "agent_class"),
    traced: true,
  },
  "email.cancelled": { ...email("cancelled an e-mail"), traced: true },
  "email.rescheduled": kind("email", "rescheduled an e-mail", ["email_id", "from", "to"], { traced: true }),
  "email.retried": kind("email", "queued an e-mail again", ["email_id"], { traced: true }),
  "suppression.created": kind("audit", "suppressed an address", ["email", "scope", "origin", "email_id"], {
    webhook: true,
  }),
  "suppression.updated": audit("changed a suppression", "email", "scope", "changes"),
  "suppression.imported": audit("imported suppressions", "count"),
  "recipient.erasure_requested": audit("requested a recipient's erasure", "erased_as", "emails", "campaigns"),
  "recipient.erased": audit("erased a recipient", "erased_as", "emails", "campaigns"),
  "suppression.deleted": audit("deleted a suppression", "email", "scope", "origin"),
  "campaign.created": campaign("created a campaign"),
  "campaign.updated": campaign("changed a campaign", "added", "changes"),
  "campaign.deleted": campaign("deleted a campaign"),
  "campaign.scheduled": campaign("scheduled a campaign"),
  "campaign.started": kind("campaign", "started a campaign", ["campaign_id", "name"], { webhook: true }),
  "campaign.paused": campaign("paused a campaign", "reason"),
  "campaign.resumed": campaign("resumed a campaign"),
  "campaign.cancelled": campaign("cancelled a campaign"),
  "campaign.completed": kind("campaign", "completed a campaign", ["campaign_id", "name"], { webhook: true }),
  "webhook.test": kind("webhook", "sent a test", [], { webhook: true }),
  "queue.paused": kind("system", "paused the delivery of e-mails", ["route", "reason"]),
  "queue.resumed": kind("system", "resumed the delivery of e-mails", ["route", "dropped"]),
} as const satisfies Record<string, EventKind>;

/** Type of an event, such as `email.failed`. */
export type EventType = keyof typeof eventKinds;

/** Metadata of an event type: the keys that `eventKinds` lists for it. */
export type EventMetadata<T extends EventType> = T extends EventType
  ? {
      [K in (typeof eventKinds)[T]["metadata"][number]]: K extends keyof MetadataTypes
        ? MetadataTypes[K]
        : unknown;
    }
  : never;

/** The types that a webhook can subscribe to, besides `*`. */
export const webhookEventTypes: readonly EventType[] = (Object.keys(eventKinds) as EventType[]).filter(
  (type) => (eventKinds[type] as EventKind).webhook === true,
);

/** Returns the entry of an event type. */
export const eventKindOf = (type: EventType): EventKind => eventKinds[type];
