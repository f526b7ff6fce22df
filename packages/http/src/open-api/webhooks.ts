import { webhookEventTypes } from "@posthorn/core/internal";
import { emailEventData } from "./email-event-data.ts";
import type { JsonSchema } from "./schemas.ts";

/** The request posted to a webhook's URL for one event type. */
export interface WebhookItem {
  post: {
    operationId: string;
    summary: string;
    tags: string[];
    /** No credentials: the receiver verifies the signature. */
    security: [];
    parameters: { name: string; in: "header"; required: boolean; description: string; schema: JsonSchema }[];
    requestBody: { required: true; content: Record<string, { schema: JsonSchema; example: unknown }> };
    responses: Record<string, { description: string }>;
  };
}

/** Creates the document's webhook section: one entry for each event type that can be subscribed to. */
export function createWebhookItems(): Record<string, WebhookItem> {
  return Object.fromEntries([...webhookEventTypes].sort().map((type) => [type, itemOf(type)]));
}

function itemOf(type: string): WebhookItem {
  const subject = subjectOf(type);
  const properties: Record<string, JsonSchema> = {
    event: { type: "string", const: type, description: "The type of the event." },
    ...subject.properties,
    timestamp: { type: "string", format: "date-time", description: "Time of the event." },
  };
  const example = webhookExample(type);
  const required = Object.keys(properties);
  const pascal = type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return {
    post: {
      operationId: `on${pascal}`,
      summary: `Receives ${type}`,
      tags: ["webhooks"],
      security: [],
      parameters: headers.map(([name, description]) => ({
        name,
        in: "header",
        required: true,
        description,
        schema: { type: "string" },
      })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: { type: "object", properties, required }, example } },
      },
      responses: {
        "2XX": { description: "Delivered." },
        "410": { description: "Disables the webhook." },
        default: { description: "Retried later." },
      },
    },
  };
}

/** Returns an example of the payload of an event type. */
export const webhookExample = (type: string): Record<string, unknown> => ({
  event: type,
  ...subjectOf(type).example,
  timestamp: "2030-01-31T08:00:00.000Z",
});

const headers: [string, string][] = [
  ["X-Service-Event", "The type of the event."],
  ["X-Service-Signature", "`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the whole secret."],
  ["webhook-id", "Id of the delivery, the same for every attempt."],
  ["webhook-timestamp", "Time of the attempt, in seconds since the epoch."],
  ["webhook-signature", "The signature of Standard Webhooks."],
];

const uuid: JsonSchema = { type: "string", format: "uuid" };
const exampleId = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";

/** Fields of an event type (service.md, Webhook deliveries). */
function subjectOf(type: string): { properties: Record<string, JsonSchema>; example: object } {
  if (type.startsWith("campaign.")) {
    return {
      properties: {
        campaign_id: { type: "integer", description: "The campaign's id." },
        name: { type: "string", description: "The campaign's name." },
      },
      example: { campaign_id: 1, name: "Spring" },
    };
  }
  if (type === "suppression.created") return aboutSuppression();
  if (type.startsWith("domain.")) return aboutDomain(type.slice("domain.".length));
  if (type.startsWith("smtp_server.")) {
    const down = type === "smtp_server.down";
    return {
      properties: {
        smtp_server_id: { ...uuid, description: "The mail server's id." },
        name: { type: "string", description: "The mail server's name." },
        ...(down ? { reason: { type: "string", description: "The server's reply, or the error." } } : {}),
      },
      example: {
        smtp_server_id: exampleId,
        name: "relay",
        ...(down ? { reason: "could not connect to mail.example.com:587: connection refused" } : {}),
      },
    };
  }
  if (type === "webhook.test") {
    return {
      properties: { webhook_id: { ...uuid, description: "The webhook's id." } },
      example: { webhook_id: exampleId },
    };
  }
  const data = emailEventData(type);
  return {
    properties: {
      email_id: { ...uuid, description: "The e-mail's id." },
      ...(data === undefined ? {} : { data: data.schema }),
    },
    example: { email_id: exampleId, ...(data === undefined ? {} : { data: data.example }) },
  };
}

function aboutDomain(status: string): { properties: Record<string, JsonSchema>; example: object } {
  const data: JsonSchema = {
    type: "object",
    description: "The domain and its status.",
    properties: {
      name: { type: "string", description: "The domain." },
      status: { type: "string", const: status, description: "The domain's status." },
      reason: { type: "string", description: "Reason for the status; empty if there is no problem." },
    },
    required: ["name", "status", "reason"],
  };
  return {
    properties: { domain_id: { ...uuid, description: "The domain's id." }, data },
    example: { domain_id: exampleId, data: { name: "shop.example", status, reason: "" } },
  };
}

function aboutSuppression(): { properties: Record<string, JsonSchema>; example: object } {
  const data: JsonSchema = {
    type: "object",
    description: "The suppression.",
    properties: {
      email: { type: "string", description: "The address, or `@` and a domain." },
      scope: {
        type: "string",
        description: "Scope of the suppression: `*` for everything, or the name of a list.",
      },
      origin: { type: "string", description: "Origin of the suppression." },
      reason: { type: "string", description: "Reason, for people." },
      email_id: {
        type: ["string", "null"],
        format: "uuid",
        description: "Id of the e-mail that led to it; null for none.",
      },
      expires_at: {
        type: ["string", "null"],
        format: "date-time",
        description: "Time of expiry; null for never.",
      },
    },
    required: ["email", "scope", "origin", "reason", "email_id", "expires_at"],
  };
  const example = {
    email: "ada@example.com",
    scope: "*",
    origin: "bounce",
    reason: "550 5.1.1 no such user",
    email_id: exampleId,
    expires_at: null,
  };
  return { properties: { data }, example: { data: example } };
}
