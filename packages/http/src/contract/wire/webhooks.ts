import type { OutputOf } from "@posthorn/core";
import { type useCases, webhookEventTypes } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type Webhook = OutputOf<Core["webhooks"]["get"]>;
type Delivery = OutputOf<Core["webhooks"]["test"]>;
type ApiKey = OutputOf<Core["apiKeys"]["list"]>["items"][number];

const webhookFields = {
  id: uuid,
  url: z.string(),
  // The same names as in requests, so that what was read can be sent back.
  events: z.array(z.string().meta({ enum: ["*", ...webhookEventTypes] })),
  filters: z.array(z.string()),
  is_active: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** `Webhook` (decisions §10), without its secret. */
export const webhookWire = wire(named("Webhook", z.object(webhookFields)), (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  filters: webhook.filters,
  is_active: webhook.isActive,
  created_at: time(webhook.createdAt),
  updated_at: time(webhook.updatedAt),
}));

/** A webhook with its secret, which only creation and rotation return. */
export const webhookWithSecretWire = wire(
  named("WebhookWithSecret", z.object({ ...webhookFields, secret: z.string() })),
  (webhook: Webhook & { secret: string }) => ({ ...webhookWire.from(webhook), secret: webhook.secret }),
);

/** A webhook delivery with its outcome (decisions §10). */
export const deliveryWire = wire(
  named(
    "WebhookDelivery",
    z.object({
      id: uuid,
      event: z.string(),
      payload: z.string(),
      status: z.enum(["pending", "delivered", "failed"]),
      attempts: integer,
      response_status: integer.nullable(),
      response_body: z.string().nullable(),
      duration_ms: z.number().nullable(),
      error: z.string(),
      due_at: timestamp.nullable(),
      created_at: timestamp,
      settled_at: timestamp.nullable(),
    }),
  ),
  (delivery: Delivery) => ({
    id: delivery.id,
    event: delivery.event,
    payload: delivery.payload,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus ?? null,
    response_body: delivery.responseBody ?? null,
    duration_ms: delivery.durationMs ?? null,
    error: delivery.error,
    due_at: timeOrNull(delivery.dueAt),
    created_at: time(delivery.createdAt),
    settled_at: timeOrNull(delivery.settledAt),
  }),
);

const apiKeyFields = {
  id: uuid,
  name: z.string(),
  prefix: z.string(),
  created_by: integer.nullable(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
};

/** An API key (decisions §8), without the key itself. */
export const apiKeyWire = wire(named("ApiKey", z.object(apiKeyFields)), (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  created_by: key.createdBy ?? null,
  created_at: time(key.createdAt),
  expires_at: timeOrNull(key.expiresAt),
  last_used_at: timeOrNull(key.lastUsedAt),
}));

/** An API key with the key itself, which only creation returns. */
export const apiKeyWithTextWire = wire(
  named("ApiKeyWithText", z.object({ ...apiKeyFields, key: z.string() })),
  (key: ApiKey & { key: string }) => ({ ...apiKeyWire.from(key), key: key.key }),
);
