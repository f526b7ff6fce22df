import { type Caller, serviceCaller } from "../calls/caller.ts";
import type { Outbox } from "../calls/change-piece.ts";
import { addNotifications, createEvent } from "../calls/outbox.ts";
import type { EventType } from "../events.ts";
import type { BounceClass } from "../inbound/rules/bounces/bounce-categories.ts";
import type {
  CampaignCounter,
  MetricChange,
  NewWebhookDelivery,
  RecipientReport,
  Repositories,
  Webhook,
} from "../ports/storage.ts";
import { domainOf, parseMailbox } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";
import { deliveriesTo } from "../webhooks/deliveries-to.ts";
import { emailEventPayload } from "../webhooks/rules/email-event-payload.ts";
import type { EmailEvent, Notifications } from "./notifications.ts";

/** Makes the event of a bounce, whatever the source of the report. */
export function bounceEvent(
  email: EmailEvent["email"],
  bounce: Pick<RecipientReport, "class" | "category" | "reply" | "source" | "at"> & { address: string },
): EmailEvent {
  const { address: recipient, reply, source, category } = bounce;
  const data = { recipient, class: bounce.class as BounceClass, category, reply, source };
  return { type: "email.bounced", email, at: bounce.at, metadata: data, data };
}

/** Origin of an event. */
export interface EventOrigin {
  caller: Caller;
  clientIp: string;
}

/** The origin of what the service does unasked. */
export const serviceOrigin = { caller: serviceCaller, clientIp: "" } as const satisfies EventOrigin;

type Subscription = Pick<Webhook, "id" | "events" | "filters">;

/** Makes the events and webhook deliveries for events of e-mails; `webhooksOf` returns a workspace's active webhooks. */
export function notificationsOf(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  emailEvents: readonly EmailEvent[],
  origin: EventOrigin,
  webhooksOf: (workspaceId: number) => readonly Subscription[],
): Notifications {
  const { caller, clientIp } = origin;
  const events = emailEvents.map(({ type, email, at, metadata }) =>
    createEvent(
      type,
      { metadata: { email_id: email.id, ...metadata } },
      { caller, clientIp, workspaceId: email.workspaceId, now: at },
    ),
  );
  return { events, deliveries: emailEvents.flatMap((one) => deliveriesOf(runtime, one, webhooksOf)) };
}

/** Counters of a campaign by event; each of its e-mails has one recipient. */
const counted: Partial<Record<EventType, readonly CampaignCounter[]>> = {
  "email.sent": ["sent", "settled"],
  "email.failed": ["failed", "settled"],
  "email.cancelled": ["cancelled", "settled"],
  "email.suppressed": ["suppressed", "settled"],
  "email.bounced": ["bounced"],
  "email.complained": ["complained"],
  "email.unsubscribed": ["unsubscribed"],
  "email.opened": ["opened"],
  "email.clicked": ["clicked"],
};

/** Returns the metric of a complaint, counted for the complainant's domain. */
const complaintChanges = ({ type, email: { workspaceId }, at, data }: EmailEvent): MetricChange[] =>
  type !== "email.complained" || workspaceId === undefined || data?.recipient === undefined
    ? []
    : [{ workspaceId, at, domain: domainOf(data.recipient), metric: "complained", by: 1 }];

/**
 * Makes the events and webhook deliveries for events of e-mails, and updates the counters of campaigns. `known` are the active
 * webhooks of these workspaces, if they were read in the same transaction; otherwise they are read now.
 */
export async function createNotifications(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Pick<Repositories, "webhooks" | "campaigns" | "metrics">,
  emailEvents: readonly EmailEvent[],
  origin: EventOrigin,
  known?: readonly Webhook[],
): Promise<Notifications> {
  const changes = emailEvents.flatMap(({ type, email: { campaignId } }) =>
    campaignId === undefined ? [] : (counted[type] ?? []).map((counter) => ({ campaignId, counter, by: 1 })),
  );
  if (changes.length > 0) await storage.campaigns.count(changes);
  await storage.metrics.count(emailEvents.flatMap(complaintChanges));
  const workspaces = new Set(emailEvents.flatMap(({ email }) => email.workspaceId ?? []));
  const webhooks = known ?? (workspaces.size === 0 ? [] : await storage.webhooks.listActive([...workspaces]));
  return notificationsOf(runtime, emailEvents, origin, (id) =>
    webhooks.filter(({ workspaceId }) => workspaceId === id),
  );
}

/** Adds the notifications of e-mails' events to the outbox of the change that caused them. */
export async function addEmailEvents(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Repositories,
  outbox: Outbox,
  emailEvents: readonly EmailEvent[],
  origin: EventOrigin,
): Promise<void> {
  if (emailEvents.length > 0)
    addNotifications(outbox, await createNotifications(runtime, storage, emailEvents, origin));
}

/** Makes webhook deliveries. There are none for the service's own mails. */
function deliveriesOf(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  { type, email, at, data }: EmailEvent,
  webhooksOf: (workspaceId: number) => readonly Subscription[],
): NewWebhookDelivery[] {
  const { workspaceId } = email;
  const webhooks = workspaceId === undefined ? [] : webhooksOf(workspaceId);
  if (workspaceId === undefined || webhooks.length === 0) return [];
  // Of an e-mail that was removed, the sender is unknown: with one that matches nothing, filters would lose the event.
  const sender = email.from === "" ? undefined : (parseMailbox(email.from)?.address ?? "");
  const about = { subject: email.subject, tags: email.tags, metadata: email.metadata };
  const payload = () => emailEventPayload(type, email.id, at, { ...about, ...data });
  return deliveriesTo(runtime, webhooks, {
    ...{ workspaceId, emailId: email.id, type, at, payload },
    ...(sender !== undefined && { sender }),
  });
}
