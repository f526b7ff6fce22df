import type { CodeSample } from "./code-sample.ts";
import type { JsonSchema } from "./schemas.ts";
import type { WebhookItem } from "./webhooks.ts";

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; "x-displayName": string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** What is posted to webhooks, by the type of the event. */
  webhooks: Record<string, WebhookItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Answer>;
    securitySchemes: Record<string, unknown>;
  };
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  /** The same call as a line of a shell and as TypeScript. */
  "x-codeSamples"?: CodeSample[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example: unknown }> };
  responses: Record<string, Answer | { $ref: string }>;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  style?: "deepObject";
  explode?: boolean;
  schema: JsonSchema;
}

export interface Answer {
  description: string;
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, unknown> }>;
}
