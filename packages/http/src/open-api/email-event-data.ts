import { bounceCategories } from "@posthorn/core/internal";
import type { JsonSchema } from "./schemas.ts";

/** The `data` of an event about an e-mail: what the schema says, and an example. */
export interface DataItem {
  schema: JsonSchema;
  example: Record<string, unknown>;
}

/** A field of `data`, whether every event of its type has it, and an example. */
interface DataField {
  schema: JsonSchema;
  required: boolean;
  example?: unknown;
}

const field = (schema: JsonSchema, example: unknown, required = true): DataField => ({
  schema,
  required,
  example,
});

const about: Record<string, DataField> = {
  subject: field(
    { type: "string", description: "The rendered subject; empty for a sensitive e-mail." },
    "Your order",
  ),
  tags: field({ type: "array", items: { type: "string" }, description: "The e-mail's tags." }, ["orders"]),
  metadata: field(
    { type: "object", additionalProperties: {}, description: "The e-mail's metadata." },
    { order: 1029 },
  ),
};

const recipient: JsonSchema = { type: "string", description: "The recipient's address." };
const reply: JsonSchema = { type: "string", description: "The mail server's own text: untrusted." };
const source: JsonSchema = {
  type: "string",
  enum: ["smtp", "dsn", "provider"],
  description: "What told of it: a reply, a message, or a relay's webhook.",
};
const agentClass: JsonSchema = {
  type: "string",
  enum: ["browser", "mail_program", "image_proxy", "machine", "unknown"],
  description: "The kind of program.",
};
const classes = [...new Set(Object.values(bounceCategories).map((category) => category.class))];

/** Further fields by type; `email.sent` and `email.failed` have no data (service.md, Webhook deliveries). */
const more: Record<string, Record<string, DataField>> = {
  "email.queued": {},
  "email.cancelled": {},
  "email.delivery_delayed": {
    attempt: field(
      { type: "integer", description: "Number of the attempt; missing if a report came back." },
      1,
      false,
    ),
    recipient: {
      schema: { ...recipient, description: "Whom a report that came back is about." },
      required: false,
    },
    reply: field(reply, "451 4.7.1 try again later"),
  },
  "email.bounced": {
    recipient: field(recipient, "grace@example.com"),
    class: field({ type: "string", enum: classes, description: "What the refusal is about." }, "hard"),
    category: field(
      { type: "string", enum: Object.keys(bounceCategories), description: "Its cause." },
      "invalid_recipient",
    ),
    reply: field(reply, "550 5.1.1 no such user"),
    source: field(source, "smtp"),
  },
  "email.complained": {
    recipient: field(recipient, "grace@example.com"),
    class: field({ type: "string", const: "complaint", description: "Always `complaint`." }, "complaint"),
    category: field({ type: "string", description: "The complaint's type, mostly `abuse`." }, "abuse"),
    reply: field(reply, ""),
    source: field(source, "dsn"),
  },
  "email.suppressed": {
    recipient: field(recipient, "grace@example.com"),
    origin: field({ type: "string", description: "Origin of the suppression." }, "bounce"),
  },
  "email.unsubscribed": {
    recipient: field(recipient, "grace@example.com"),
    list: field({ type: "string", description: "The list that the recipient left." }, "news"),
  },
  "email.opened": {
    recipient: field(recipient, "grace@example.com", false),
    agent_class: field(agentClass, "mail_program"),
  },
  "email.clicked": {
    recipient: field(recipient, "grace@example.com", false),
    url: field(
      { type: "string", description: "The link; missing once the recipient was erased." },
      "https://shop.example/orders/1029",
      false,
    ),
    agent_class: field(agentClass, "browser"),
  },
};

/** Returns the `data` of an event about an e-mail; `undefined` for a type that has none. */
export function emailEventData(type: string): DataItem | undefined {
  const own = more[type];
  if (own === undefined) return undefined;
  const fields = Object.entries({ ...about, ...own });
  return {
    schema: {
      type: "object",
      description: "The e-mail, and what happened to it.",
      properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      required: fields.flatMap(([name, { required }]) => (required ? [name] : [])),
    },
    example: Object.fromEntries(
      fields.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
    ),
  };
}
