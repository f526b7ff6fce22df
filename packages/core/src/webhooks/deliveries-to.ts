import type { NewWebhookDelivery, Webhook } from "../ports/storage/webhooks.ts";
import type { Runtime } from "../service/runtime.ts";
import { wantsEvent } from "./rules/webhook-match.ts";

/** What webhooks of a workspace are told. */
export interface WebhookNotice {
  workspaceId: number;
  /** The e-mail that it is about. */
  emailId?: string;
  type: string;
  /** The address that filters ask for, `@` and a domain, or nothing: then filters don't count. */
  sender?: string;
  /** ms since the epoch. */
  at: number;
  /** The body; made once, and only where somebody wants it. */
  payload: () => string;
}

/** A delivery for each of a workspace's active webhooks that wants a notice; due at once. */
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
