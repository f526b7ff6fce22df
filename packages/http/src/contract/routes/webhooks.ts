import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { fixedMessage, listOf } from "../wire/schemas.ts";
import {
  apiKeyWire,
  apiKeyWithTextWire,
  deliveryWire,
  webhookWire,
  webhookWithSecretWire,
} from "../wire/webhooks.ts";

const { webhooks, apiKeys } = useCases;

const webhooksPath = "/workspaces/current/webhooks";
const apiKeysPath = "/workspaces/current/api-keys";
const webhookId = { id: "webhookId" } as const;

/** Routes of webhooks (service.md, Webhooks; decisions §10) and API keys (decisions §8). */
export const webhookRoutes = [
  route(`POST ${webhooksPath}`, webhooks.create, {
    summary: "Create a webhook",
    status: 201,
    reply: webhookWithSecretWire,
  }),
  route(`GET ${webhooksPath}`, webhooks.list, { summary: "List webhooks", reply: listOf(webhookWire) }),
  route(`GET ${webhooksPath}/{id}`, webhooks.get, {
    summary: "Read a webhook",
    params: webhookId,
    reply: webhookWire,
  }),
  route(`PUT ${webhooksPath}/{id}`, webhooks.update, {
    summary: "Change a webhook",
    params: webhookId,
    reply: webhookWire,
  }),
  route(`DELETE ${webhooksPath}/{id}`, webhooks.delete, {
    summary: "Delete a webhook",
    params: webhookId,
    reply: fixedMessage("Webhook deleted"),
  }),
  route(`POST ${webhooksPath}/{id}/rotate-secret`, webhooks.rotateSecret, {
    summary: "Rotate a webhook's signing secret",
    params: webhookId,
    reply: webhookWithSecretWire,
  }),
  route(`POST ${webhooksPath}/{id}/test`, webhooks.test, {
    summary: "Send a test delivery",
    params: webhookId,
    status: 202,
    reply: deliveryWire,
  }),
  route(`GET ${webhooksPath}/{id}/deliveries`, webhooks.listDeliveries, {
    summary: "List a webhook's deliveries",
    params: webhookId,
    envelope: "page",
    reply: deliveryWire,
  }),
  route(`POST ${webhooksPath}/{webhookId}/deliveries/{id}/redeliver`, webhooks.redeliver, {
    summary: "Redeliver a webhook delivery",
    params: { id: "deliveryId" },
    status: 202,
    reply: deliveryWire,
  }),
  route("POST /workspaces/current/deliveries/{id}/redeliver", webhooks.redeliver, {
    summary: "Redeliver by the delivery's id alone",
    params: { id: "deliveryId" },
    status: 202,
    reply: deliveryWire,
  }),
  route(`POST ${apiKeysPath}`, apiKeys.create, {
    summary: "Create an API key",
    status: 201,
    reply: apiKeyWithTextWire,
  }),
  route(`GET ${apiKeysPath}`, apiKeys.list, {
    summary: "List API keys",
    envelope: "page",
    reply: apiKeyWire,
  }),
  route(`DELETE ${apiKeysPath}/{id}`, apiKeys.revoke, {
    summary: "Revoke an API key",
    params: { id: "apiKeyId" },
    reply: fixedMessage("API key revoked"),
  }),
] as const;
