import type { Caller } from "../calls/caller.ts";
import { createEvent } from "../calls/outbox.ts";
import type { EventType } from "../events.ts";
import type { BounceClass } from "../inbound/rules/bounce-categories.ts";
import type { CampaignCounter } from "../ports/storage/campaigns.ts";
import type { MetricChange } from "../ports/storage/metrics.ts";
import type { RecipientReport } from "../ports/storage/recipient-report.ts";
import type { NewWebhookDelivery, Webhook } from "../ports/storage/webhooks.ts";
import type { Repositories } from "../ports/storage.ts";
import { domainOf, parseMailbox } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";
import { deliveriesTo } from "../webhooks/deliveries-to.ts";
import { emailEventPayload } from "../webhooks/rules/email-event-payload.ts";
import type { EmailHappening, Tidings } from "./tidings.ts";

/** Makes the event of a bounce, whatever the source of the report. */
export function bounceHappening(
  email: EmailHappening["email"],
  bounce: Pick<RecipientReport, "class" | "category" | "reply" | "source" | "at"> & { address: string },
): EmailHappening {
  const { address: recipient, reply, source, category } = bounce;
  const data = { recipient, class: bounce.class as BounceClass, category, reply, source };
  return { type: "email.bounced", email, at: bounce.at, metadata: data, data };
}

/** Origin of an event. */
export interface HappeningOrigin {
  caller: Caller;
  clientIp: string;
}

type Subscription = Pick<Webhook, "id" | "events" | "filters">;

/** Makes the events and webhook deliveries for happenings; `webhooksOf` returns a workspace's active webhooks. */
export function tidingsOf(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  happenings: readonly EmailHappening[],
  origin: HappeningOrigin,
  webhooksOf: (workspaceId: number) => readonly Subscription[],
): Tidings {
  const events = happenings.map(({ type, email, at, metadata }) =>
    createEvent(
      type,
      { metadata: { email_id: email.id, ...metadata } },
      { ...origin, workspaceId: email.workspaceId, now: at },
    ),
  );
  return { events, deliveries: happenings.flatMap((one) => deliveriesOf(runtime, one, webhooksOf)) };
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
};

/** Returns the metric of a complaint, counted for the complainant's domain. */
const complaintChanges = ({ type, email: { workspaceId }, at, data }: EmailHappening): MetricChange[] =>
  type !== "email.complained" || workspaceId === undefined || data?.recipient === undefined
    ? []
    : [{ workspaceId, at, domain: domainOf(data.recipient), metric: "complained", by: 1 }];

/**
 * Makes the events and webhook deliveries for happenings, with the webhooks as stored now, and updates the counters of
 * campaigns.
 */
export async function findTidings(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Pick<Repositories, "webhooks" | "campaigns" | "metrics">,
  happenings: readonly EmailHappening[],
  origin: HappeningOrigin,
): Promise<Tidings> {
  const changes = happenings.flatMap(({ type, email: { campaignId } }) =>
    campaignId === undefined ? [] : (counted[type] ?? []).map((counter) => ({ campaignId, counter, by: 1 })),
  );
  if (changes.length > 0) await storage.campaigns.count(changes);
  await storage.metrics.count(happenings.flatMap(complaintChanges));
  const workspaces = new Set(happenings.flatMap(({ email }) => email.workspaceId ?? []));
  const webhooks = workspaces.size === 0 ? [] : await storage.webhooks.listActive([...workspaces]);
  return tidingsOf(runtime, happenings, origin, (id) =>
    webhooks.filter(({ workspaceId }) => workspaceId === id),
  );
}

/** Makes webhook deliveries. There are none for the service's own mails. */
function deliveriesOf(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  { type, email, at, data }: EmailHappening,
  webhooksOf: (workspaceId: number) => readonly Subscription[],
): NewWebhookDelivery[] {
  const { workspaceId } = email;
  const webhooks = workspaceId === undefined ? [] : webhooksOf(workspaceId);
  if (workspaceId === undefined || webhooks.length === 0) return [];
  const sender = parseMailbox(email.from)?.address ?? "";
  const about = { subject: email.subject, tags: email.tags, metadata: email.metadata };
  const payload = () => emailEventPayload(type, email.id, at, { ...about, ...data });
  return deliveriesTo(runtime, webhooks, { workspaceId, emailId: email.id, type, sender, at, payload });
}
