import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { useCase } from "../calls/use-case.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import { type DeliveryView, findDeliveryOrThrow, viewDelivery } from "./delivery-view.ts";
import { endPause, findActiveWebhookOrThrow } from "./webhook-view.ts";

/**
 * Queues a delivery of `webhook.test`, whichever types the webhook subscribes to. A pause that the endpoint asked for ends
 * (decisions §10).
 */
export const testWebhook = useCase({
  access: "webhooks:write",
  refusals: ["rate_limited", "webhook_disabled"],
  input: z.strictObject({ webhookId: uuidField.describe("The webhook's id, a UUID.") }),
  prepare: (context) => reserveAttempt(context, guardOf.webhookTests(context.workspace.id)),
  async run({ storage, workspace, runtime, now, emit, wake }, { webhookId }): Promise<DeliveryView> {
    const webhook = await findActiveWebhookOrThrow(storage, workspace.id, webhookId);
    const dueAt = runtime.queueClock.now();
    const deliveryId = runtime.newId();
    const event = "webhook.test";
    await storage.webhookDeliveries.insert([
      {
        id: deliveryId,
        webhookId,
        workspaceId: workspace.id,
        event,
        payload: JSON.stringify({ event, webhook_id: webhookId, timestamp: new Date(now).toISOString() }),
        createdAt: now,
        dueAt,
      },
    ]);
    await endPause(storage, webhook, dueAt);
    emit("webhook.tested", { metadata: { webhook_id: webhookId, delivery_id: deliveryId } });
    wake("webhooks");
    const delivery = await findDeliveryOrThrow(storage, workspace.id, { webhookId, deliveryId });
    return viewDelivery(delivery, workspace.role);
  },
});
