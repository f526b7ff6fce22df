import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { useCase } from "../calls/use-case.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import { type DeliveryView, findDeliveryOrThrow, viewDelivery } from "./delivery-view.ts";
import { endPause, findActiveWebhookOrThrow } from "./webhook-view.ts";

/**
 * Queues a delivery that is settled, or waits for its next attempt, to be posted now, with the full number of attempts. One
 * that is due or under way is left unchanged. A pause that the endpoint asked for ends (decisions §10).
 */
export const redeliverWebhook = useCase({
  access: "webhooks:write",
  refusals: ["rate_limited", "webhook_disabled"],
  input: z.strictObject({
    deliveryId: uuidField.describe("The delivery's id, a UUID."),
    webhookId: uuidField
      .optional()
      .describe(
        "The id of the webhook that the delivery must belong to, a UUID. Default: any webhook of the workspace.",
      ),
  }),
  async prepare(context) {
    // The operator, who cleans up after an outage, has no rate limit.
    if (context.caller.kind !== "operator")
      await reserveAttempt(context, guardOf.redeliveries(context.workspace.id));
  },
  async run({ storage, workspace, runtime, emit, wake }, { webhookId, deliveryId }): Promise<DeliveryView> {
    const asked = { webhookId, deliveryId };
    const found = await findDeliveryOrThrow(storage, workspace.id, asked);
    const webhook = await findActiveWebhookOrThrow(storage, workspace.id, found.webhookId);
    const now = runtime.queueClock.now();
    const isQueued = await storage.webhookDeliveries.redeliver(workspace.id, found.webhookId, found.id, now);
    if ((await endPause(storage, webhook, now)) || isQueued) {
      emit("webhook.redelivered", { metadata: { webhook_id: found.webhookId, delivery_id: found.id } });
      wake("webhooks");
    }
    return viewDelivery(await findDeliveryOrThrow(storage, workspace.id, asked), workspace.role);
  },
});
