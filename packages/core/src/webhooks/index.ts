import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getWebhook } from "./get-webhook.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { redeliverWebhook } from "./redeliver-webhook.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateWebhook } from "./update-webhook.ts";

/** Webhooks, which receive events by HTTP. */
export const webhooks = {
  create: createWebhook,
  list: listWebhooks,
  get: getWebhook,
  update: updateWebhook,
  delete: deleteWebhook,
  rotateSecret: rotateWebhookSecret,
  listDeliveries,
  redeliver: redeliverWebhook,
  test: testWebhook,
} as const;
