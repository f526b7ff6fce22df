import type { CodeSample } from "./code-sample.ts";
import type { JsonSchema } from "./schemas.ts";
import type { WebhookItem } from "./webhooks.ts";

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  /** OpenAPI version, `3.1.0`. */
  openapi: string;
  /** Title, version and description. */
  info: Record<string, unknown>;
  /** Base path of the API. */
  servers: { url: string }[];
  /** Groups of operations. */
  tags: { name: string; "x-displayName": string; description: string }[];
  /** Operations by path and method. */
  paths: Record<string, Record<string, Operation>>;
  /** Requests posted to webhooks, by event type. */
  webhooks: Record<string, WebhookItem>;
  /** Schemas, responses and security schemes that operations refer to. */
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
  /** Examples of the call in shell and in TypeScript. */
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
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, unknown> }>;
}
