import { ServiceError } from "../errors.ts";
import { allows } from "../permissions.ts";
import type { DeliveryStatus, Repositories, Role, WebhookDelivery } from "../ports/storage.ts";

/** A delivery of a webhook (decisions §10). Times are ms since the epoch. */
export interface DeliveryView {
  /** The delivery's id, a UUID; receivers see it as `webhook-id`. */
  id: string;
  /** The type of the event. */
  event: string;
  /** The raw body, the same at every attempt. */
  payload: string;
  /** Whether it waits, was taken or was given up. */
  status: DeliveryStatus;
  /** Times that it was posted. */
  attempts: number;
  /** Of the last attempt that was answered. */
  responseStatus: number | undefined;
  /** At most 4 KiB, hostile; for those who manage webhooks. */
  responseBody: string | undefined;
  /** How long the last attempt took, in ms. */
  durationMs: number | undefined;
  /** What went wrong in the last attempt, such as `answered 500` or `connect`; empty where nothing did. */
  error: string;
  /** When the next attempt is due. */
  dueAt: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was taken or given up, ms since the epoch. */
  settledAt: number | undefined;
}

/** A delivery as the role may see it: what an endpoint answered is kept from those who could not have chosen the endpoint. */
export const viewDelivery = (delivery: WebhookDelivery, role: Role | undefined): DeliveryView => ({
  id: delivery.id,
  event: delivery.event,
  payload: delivery.payload,
  status: delivery.status,
  attempts: delivery.attempts,
  responseStatus: delivery.responseStatus,
  responseBody: role === undefined || allows(role, "webhooks:write") ? delivery.responseBody : undefined,
  durationMs: delivery.durationMs,
  error: delivery.error,
  dueAt: delivery.dueAt,
  createdAt: delivery.createdAt,
  settledAt: delivery.settledAt,
});

/** The workspace's delivery, of the given webhook if one is given; throws `not_found`. */
export async function findDeliveryOrThrow(
  storage: Pick<Repositories, "webhookDeliveries">,
  workspaceId: number,
  { webhookId, deliveryId }: { webhookId: string | undefined; deliveryId: string },
): Promise<WebhookDelivery> {
  const delivery = await storage.webhookDeliveries.find(workspaceId, webhookId, deliveryId);
  if (delivery === undefined) throw new ServiceError("not_found", { message: "There is no such delivery." });
  return delivery;
}
