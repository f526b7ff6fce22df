// Printed by `npm run verbs`. Do not edit.
export const webhooksWords = {
  "webhooks.create":
    "Subscribes a URL to events; the signing secret is answered this once (service.md, Webhooks; decisions §10).",
  "webhooks.list": "The workspace's webhooks, newest first (service.md, Webhooks).",
  "webhooks.get": "One webhook, without its secret (decisions §10).",
  "webhooks.update":
    "Changes a webhook; enabled again, it starts with a clean slate of failures (decisions §10).",
  "webhooks.delete":
    "Deletes a webhook with its deliveries; nothing is sent to it any more (service.md, Webhooks). Many deliveries go first, piece by piece: a deletion that is interrupted there leaves a webhook without them, to be deleted again.",
  "webhooks.rotateSecret":
    "Gives a webhook a new signing secret, answered this once; the former stays valid for 24 h (decisions §10).",
  "webhooks.listDeliveries": "A webhook's deliveries, newest first (decisions §10).",
  "webhooks.redeliver":
    "Puts a settled delivery back into the queue, with all its attempts; one that still waits is left alone (decisions §10).",
  "webhooks.test":
    "Queues a delivery of `webhook.test`, whatever the webhook is subscribed to (decisions §10).",
};
