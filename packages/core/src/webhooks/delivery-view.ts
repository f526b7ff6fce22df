import { orNotFound } from "../calls/or-not-found.ts";
import { allows } from "../permissions.ts";
import type { DeliveryStatus, Repositories, Role, WebhookDelivery } from "../ports/storage.ts";

/** A delivery to a webhook (decisions §10). Times are ms since the epoch. */
export interface DeliveryView {
  /** The delivery's id, a UUID. Receivers get it as the header `webhook-id`. */
  id: string;
  /** The type of the event. */
  event: string;
  /** The raw body, the same for every attempt. */
  payload: string;
  /** Whether it is waiting, delivered or failed. */
  status: DeliveryStatus;
  /** Number of attempts so far. */
  attempts: number;
  /** HTTP status of the last attempt that was answered. */
  responseStatus: number | undefined;
  /** Beginning of the last response's body, at most 4 KiB. Untrusted text; only for roles that may manage webhooks. */
  responseBody: string | undefined;
  /** Duration of the last attempt in ms. */
  durationMs: number | undefined;
  /** Error of the last attempt, such as `answered 500`, `connect` or `tls: CERT_HAS_EXPIRED`; empty if it succeeded. */
  error: string;
  /**
   * When the next attempt is due, after any pause that the endpoint asked for. While one is under way, when that counts as
   * lost.
   */
  dueAt: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was delivered or failed for good, ms since the epoch. */
  settledAt: number | undefined;
}

/**
 * Returns the view of a delivery for a role. The endpoint's response is hidden from roles that can't choose the
 * endpoint, as it could show them internal servers. `pausedUntil` is the end of the endpoint's pause.
 */
export const viewDelivery = (
  delivery: WebhookDelivery,
  role: Role | undefined,
  pausedUntil = 0,
): DeliveryView => ({
  id: delivery.id,
  event: delivery.event,
  payload: delivery.payload,
  status: delivery.status,
  attempts: delivery.attempts,
  responseStatus: delivery.responseStatus,
  responseBody: role === undefined || allows(role, "webhooks:write") ? delivery.responseBody : undefined,
  durationMs: delivery.durationMs,
  error: delivery.error,
  dueAt: dueAfterPause(delivery, pausedUntil),
  createdAt: delivery.createdAt,
  settledAt: delivery.settledAt,
});

/** Returns when a delivery's next attempt is due, given the end of its endpoint's pause. */
export const dueAfterPause = (
  { dueAt }: Pick<WebhookDelivery, "dueAt">,
  pausedUntil = 0,
): number | undefined => dueAt && Math.max(dueAt, pausedUntil);

/** Returns the workspace's delivery, which must belong to the given webhook, if any. Throws `not_found`. */
export async function findDeliveryOrThrow(
  storage: Pick<Repositories, "webhookDeliveries">,
  workspaceId: number,
  { webhookId, deliveryId }: { webhookId: string | undefined; deliveryId: string },
): Promise<WebhookDelivery> {
  return orNotFound(
    await storage.webhookDeliveries.find(workspaceId, webhookId, deliveryId),
    "such delivery",
  );
}
