// Printed by `npm run verbs`. Do not edit.
export const webhooksWords = {
  "webhooks.create":
    "Subscribes a URL to events; the signing secret is returned only once (service.md, Webhooks; decisions §10).",
  "webhooks.list": "The workspace's webhooks, newest first (service.md, Webhooks).",
  "webhooks.get": "One webhook, without its secret (decisions §10).",
  "webhooks.update": "Changes a webhook; enabling it again resets its count of failures (decisions §10).",
  "webhooks.delete":
    "Deletes a webhook with its deliveries; nothing is posted to it any more (service.md, Webhooks). Many deliveries are deleted first, piece by piece: an interrupted deletion leaves the webhook without them; delete it again.",
  "webhooks.rotateSecret":
    "Rotates a webhook's signing secret, returned only once; the former stays valid for 24 h (decisions §10).",
  "webhooks.listDeliveries": "A webhook's deliveries, newest first (decisions §10).",
  "webhooks.redeliver":
    "Queues a settled delivery again, with all its attempts; one that still waits is left unchanged (decisions §10).",
  "webhooks.test":
    "Queues a delivery of `webhook.test`, whatever the webhook is subscribed to (decisions §10).",
};
