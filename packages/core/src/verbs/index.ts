// Printed by `npm run verbs`. Do not edit.
import type { AccountsVerbs } from "./accounts.ts";
import type { ApiKeysVerbs } from "./api-keys.ts";
import type { AttachmentsVerbs } from "./attachments.ts";
import type { AuditLogVerbs } from "./audit-log.ts";
import type { CallShapes } from "./call-options.ts";
import type { CampaignsVerbs } from "./campaigns.ts";
import type { DomainsVerbs } from "./domains.ts";
import type { EmailsVerbs } from "./emails.ts";
import type { EventsVerbs } from "./events.ts";
import type { InboundVerbs } from "./inbound.ts";
import type { InboundEndpointsVerbs } from "./inbound-endpoints.ts";
import type { InvitationsVerbs } from "./invitations.ts";
import type { MembersVerbs } from "./members.ts";
import type { MetricsVerbs } from "./metrics.ts";
import type { PlansVerbs } from "./plans.ts";
import type { QueueVerbs } from "./queue.ts";
import type { RecipientsVerbs } from "./recipients.ts";
import type { RetentionVerbs } from "./retention.ts";
import type { SessionsVerbs } from "./sessions.ts";
import type { SettingsVerbs } from "./settings.ts";
import type { SmtpServersVerbs } from "./smtp-servers.ts";
import type { StylesheetsVerbs } from "./stylesheets.ts";
import type { SuppressionsVerbs } from "./suppressions.ts";
import type { TemplateVersionsVerbs } from "./template-versions.ts";
import type { TemplatesVerbs } from "./templates.ts";
import type { TwoFactorVerbs } from "./two-factor.ts";
import type { UnsubscriptionsVerbs } from "./unsubscriptions.ts";
import type { UsersVerbs } from "./users.ts";
import type { WebhooksVerbs } from "./webhooks.ts";
import type { WorkspacesVerbs } from "./workspaces.ts";

export type * from "./accounts.ts";
export type * from "./api-keys.ts";
export type * from "./attachments.ts";
export type * from "./audit-log.ts";
export type * from "./call-options.ts";
export type * from "./campaigns.ts";
export type * from "./domains.ts";
export type * from "./emails.ts";
export type * from "./events.ts";
export type * from "./inbound.ts";
export type * from "./inbound-endpoints.ts";
export type * from "./inputs/create-campaign-input.ts";
export type * from "./inputs/send-batch-input.ts";
export type * from "./inputs/send-email-input.ts";
export type * from "./inputs/send-template-input.ts";
export type * from "./inputs/update-campaign-input.ts";
export type * from "./invitations.ts";
export type * from "./members.ts";
export type * from "./metrics.ts";
export type * from "./plans.ts";
export type * from "./queue.ts";
export type * from "./recipients.ts";
export type * from "./retention.ts";
export type * from "./sessions.ts";
export type * from "./settings.ts";
export type * from "./smtp-servers.ts";
export type * from "./stylesheets.ts";
export type * from "./suppressions.ts";
export type * from "./template-versions.ts";
export type * from "./templates.ts";
export type * from "./two-factor.ts";
export type * from "./unsubscriptions.ts";
export type * from "./users.ts";
export type * from "./webhooks.ts";
export type * from "./workspaces.ts";

/** Everything the service can do, by aggregate and verb. */
export interface Verbs<K extends CallShapes> {
  /** Registration, login and account recovery. */
  readonly accounts: AccountsVerbs<K>;
  /** The caller's profile, and administration of users. */
  readonly users: UsersVerbs<K>;
  /** Login sessions of the caller. */
  readonly sessions: SessionsVerbs<K>;
  /** Two-factor login of the caller. */
  readonly twoFactor: TwoFactorVerbs<K>;
  /** Workspaces: each has its own members, e-mails and settings. */
  readonly workspaces: WorkspacesVerbs<K>;
  /** Members of a workspace. */
  readonly members: MembersVerbs<K>;
  /** Invitations to workspaces. */
  readonly invitations: InvitationsVerbs<K>;
  /** Templates of e-mails. */
  readonly templates: TemplatesVerbs<K>;
  /** Versions of templates, each with its content. */
  readonly templateVersions: TemplateVersionsVerbs<K>;
  /** Stylesheets, which are inlined into e-mails. */
  readonly stylesheets: StylesheetsVerbs<K>;
  /** Settings of a workspace. */
  readonly settings: SettingsVerbs<K>;
  /** Plans, which set limits, and their assignment to workspaces and users. */
  readonly plans: PlansVerbs<K>;
  /** Audit logs: changes and who made them. */
  readonly auditLog: AuditLogVerbs<K>;
  /** Events of the platform. */
  readonly events: EventsVerbs<K>;
  /** API keys, with which programs send. */
  readonly apiKeys: ApiKeysVerbs<K>;
  /** Webhooks, which receive events by HTTP. */
  readonly webhooks: WebhooksVerbs<K>;
  /** Uploaded files that can be sent. */
  readonly attachments: AttachmentsVerbs<K>;
  /** Addresses and domains that are not sent to. */
  readonly suppressions: SuppressionsVerbs<K>;
  /** Actions of recipients by the unsubscribe link of an e-mail. */
  readonly unsubscriptions: UnsubscriptionsVerbs<K>;
  /** Sending domains of a workspace. */
  readonly domains: DomainsVerbs<K>;
  /** A workspace's own mail servers. */
  readonly smtpServers: SmtpServersVerbs<K>;
  /** Sending e-mails, and their log. */
  readonly emails: EmailsVerbs<K>;
  /** Incoming reports about e-mails: bounces, delays and complaints. */
  readonly inbound: InboundVerbs<K>;
  /** Endpoints for relays' own webhooks. */
  readonly inboundEndpoints: InboundEndpointsVerbs<K>;
  /** Campaigns. */
  readonly campaigns: CampaignsVerbs<K>;
  /** Delivery figures. */
  readonly metrics: MetricsVerbs<K>;
  /** The queue of e-mails, for operators. */
  readonly queue: QueueVerbs<K>;
  /** Retention: removal of expired data, for operators. */
  readonly retention: RetentionVerbs<K>;
  /** Recipients of a workspace: their data, its export and erasure. */
  readonly recipients: RecipientsVerbs<K>;
}
