import type { NewWebhookDelivery, Webhook } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { wantsEvent } from "./rules/webhook-match.ts";

/** An event for the webhooks of a workspace. */
export interface WebhookNotice {
  workspaceId: number;
  /** Id of the e-mail that the event is about. */
  emailId?: string;
  type: string;
  /** The sender's address, or `@` and a domain, for the webhooks' filters. If absent, filters do not apply. */
  sender?: string;
  /** Time of the event, ms since the epoch. */
  at: number;
  /** Creates the payload; called once, and only if some webhook wants the event. */
  payload: () => string;
}

/** Returns a delivery for each of the workspace's active webhooks that wants the event. Deliveries are due at once. */
export function deliveriesTo(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  webhooks: readonly Pick<Webhook, "id" | "events" | "filters">[],
  { workspaceId, emailId, type, sender, at, payload }: WebhookNotice,
): NewWebhookDelivery[] {
  const wanting = webhooks.filter((webhook) => wantsEvent(webhook, type, sender));
  if (wanting.length === 0) return [];
  const body = payload();
  return wanting.map((webhook) => ({
    id: runtime.newId(),
    webhookId: webhook.id,
    workspaceId,
    event: type,
    payload: body,
    createdAt: at,
    dueAt: runtime.queueClock.now(),
    emailId,
  }));
}
