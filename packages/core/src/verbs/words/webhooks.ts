// Printed by `npm run verbs`. Do not edit.
export const webhooksWords = {
  "webhooks.create":
    "Creates a webhook that posts events to a URL. The signing secret is returned only here (service.md, Webhooks; decisions §10).",
  "webhooks.list": "Lists the workspace's webhooks, newest first (service.md, Webhooks).",
  "webhooks.get": "Returns one webhook, without its secret (decisions §10).",
  "webhooks.update":
    "Changes a webhook. Another URL, or enabling it again, resets its count of failures (decisions §10).",
  "webhooks.delete":
    "Deletes a webhook with its deliveries (service.md, Webhooks). The deliveries are deleted first, in pieces: after an interrupted deletion the webhook remains without them, and can be deleted again.",
  "webhooks.rotateSecret":
    "Rotates a webhook's signing secret and returns the new one, only here. The former one stays valid for 24 h (decisions §10).",
  "webhooks.listDeliveries": "Lists a webhook's deliveries, newest first (decisions §10).",
  "webhooks.redeliver":
    "Queues a delivery that is settled, or waits for its next attempt, to be posted now, with the full number of attempts. One that is due or under way is left unchanged. A pause that the endpoint asked for ends (decisions §10).",
  "webhooks.test":
    "Queues a delivery of `webhook.test`, whichever types the webhook subscribes to. A pause that the endpoint asked for ends (decisions §10).",
};
