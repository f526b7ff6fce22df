import { z } from "zod";
import { useCase } from "../../use-case.ts";
import { type DeliveryView, findDeliveryOrThrow, viewDelivery } from "./delivery-view.ts";

/** Puts a settled delivery back into the queue, with all its attempts; one that still waits is left alone (decisions §10). */
export const redeliverWebhook = useCase({
  access: "webhooks:write",
  input: z.strictObject({ webhookId: z.uuid(), deliveryId: z.uuid() }),
  async run({ storage, workspace, now, emit, wake }, key): Promise<DeliveryView> {
    const { webhookId, deliveryId } = key;
    await findDeliveryOrThrow(storage, workspace.id, key);
    if (await storage.webhookDeliveries.redeliver(workspace.id, webhookId, deliveryId, now)) {
      emit("webhook.redelivered", { metadata: { webhook_id: webhookId, delivery_id: deliveryId } });
      wake("webhooks");
    }
    return viewDelivery(await findDeliveryOrThrow(storage, workspace.id, key), workspace.role);
  },
});
