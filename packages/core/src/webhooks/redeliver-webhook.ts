import { z } from "zod";
import { type ReadContext, useCase, type WriteContext } from "../calls/use-case.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import { type DeliveryView, findDeliveryOrThrow, viewDelivery } from "./delivery-view.ts";

async function redeliver(
  { storage, workspace, runtime, emit, wake }: WriteContext<"webhooks:write">,
  key: { webhookId: string | undefined; deliveryId: string },
): Promise<DeliveryView> {
  const { id, webhookId } = await findDeliveryOrThrow(storage, workspace.id, key);
  const now = runtime.queueClock.now();
  if (await storage.webhookDeliveries.redeliver(workspace.id, webhookId, id, now)) {
    emit("webhook.redelivered", { metadata: { webhook_id: webhookId, delivery_id: id } });
    wake("webhooks");
  }
  return viewDelivery(await findDeliveryOrThrow(storage, workspace.id, key), workspace.role);
}

/** The operator, who cleans up after an outage, is not bounded. */
const prepare = (context: ReadContext<"webhooks:write">): Promise<void> =>
  context.caller.kind === "operator"
    ? Promise.resolve()
    : reserveAttempt(context, guardOf.redeliveries(context.workspace.id));

/** Puts a settled delivery back into the queue, with all its attempts; one that still waits is left alone (decisions §10). */
export const redeliverWebhook = useCase({
  access: "webhooks:write",
  refusals: ["rate_limited"],
  input: z.strictObject({
    webhookId: z.uuid().describe("The webhook's id, a UUID."),
    deliveryId: z.uuid().describe("The delivery's id, a UUID."),
  }),
  prepare,
  run: redeliver,
});

/** As `redeliverWebhook`, for a caller who knows the delivery alone. */
export const redeliverDelivery = useCase({
  access: "webhooks:write",
  refusals: ["rate_limited"],
  input: z.strictObject({ deliveryId: z.uuid().describe("The delivery's id, a UUID.") }),
  prepare,
  run: (context, { deliveryId }): Promise<DeliveryView> =>
    redeliver(context, { webhookId: undefined, deliveryId }),
});
