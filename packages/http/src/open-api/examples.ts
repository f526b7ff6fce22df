import type { JsonSchema } from "./schemas.ts";

/** Example values of fields, by name. */
const byName: Record<string, unknown> = {
  email: "ada@example.com",
  password: "correct horse battery",
  current_password: "former horse battery",
  token: "q3Zr8vYx2LwN5tBhJ0pKcD7mSfUeGaVi1oRzXn4yWQk",
  code: "123456",
  two_factor_code: "123456",
  name: "Ada",
  host: "mail.example.com",
  port: 587,
  username: "posthorn@example.com",
  route: "w:7",
  from_domains: ["shop.example"],
  return_path: "sender",
  address: "grace@example.com",
  user_agent: "Mozilla/5.0",
  ip_address: "203.0.113.7",
  client_ip: "203.0.113.7",
  default_sender_email: "news@example.com",
  default_sender_name: "Example News",
  default_language: "en",
  timezone: "Europe/Paris",
  template: "welcome",
  template_data: { name: "Grace" },
  sample_data: { name: "Grace" },
  metadata: {},
  headers: { "X-Campaign": "spring" },
  subject: "Hello {{name}}",
  html: "<p>Hello {{name}}</p>",
  text: "Hello {{name}}",
  css: "p { color: #222222 }",
  url: "https://example.com/hooks/posthorn",
  events: ["email.sent"],
  filters: ["example.com"],
  from: "Example <news@example.com>",
  sender: "Desk <desk@example.com>",
  calendar: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:PUBLISH\r\nEND:VCALENDAR",
  to: ["grace@example.com"],
  cc: [],
  bcc: [],
  reply_to: ["support@example.com"],
  tags: ["welcome"],
  sensitive: false,
  note: "First draft",
  description: "Sent after sign-up",
  message: "Done",
  content: "SGVsbG8=",
  filename: "hello.txt",
  content_type: "text/plain",
  content_id: "logo",
  digest: "sha256:66a045b452102c59d840ec097d59d9467e13a3f34f6494e539ffd32c1bb35f18",
  type: "member.role_updated",
  since: "2030-01-31T08:00:00.000Z",
  scheduled_at: "2030-01-31T08:00:00.000Z",
};

/** The same of an e-mail, in which a template's placeholders have their values. */
const rendered: Record<string, string> = {
  subject: "Hello Grace",
  html: "<p>Hello Grace</p>",
  text: "Hello Grace",
};

/** Whether an object's subject and parts are rendered: those of templates and their versions are not. */
const isRendered = ({ properties = {} }: JsonSchema): boolean =>
  !["sample_data", "version_number"].some((key) => key in properties);

/** Fields that replace another field and are never given with it. */
const alternatives: ReadonlySet<string> = new Set(["new_password", "drop_due_before"]);

/** A file is given either by its content or by its id, and needs a content id only if the HTML shows it. */
const isInPlaceOfContent = (key: string, { properties = {} }: JsonSchema): boolean =>
  (key === "id" || key === "content_id") && "content" in properties;

/** A batch has either recipients or e-mails. */
const isInPlaceOfRecipients = (key: string, { properties = {} }: JsonSchema): boolean =>
  key === "emails" && "recipients" in properties;

/** A campaign's recipient has either to or email. */
const isInPlaceOfTo = (key: string, { properties = {} }: JsonSchema): boolean =>
  key === "email" && "to" in properties;

/** If either a template or a content may be given, the example has the template. */
const isAlternative = ({ properties = {} }: JsonSchema, key: string): boolean =>
  "template" in properties && "html" in properties && ["subject", "html", "text"].includes(key);

/** Returns an example value for a schema, from the names of its fields; always the same. */
export function exampleOf(
  schema: JsonSchema,
  components: ReadonlyMap<string, JsonSchema>,
  name = "",
): unknown {
  if (typeof schema.$ref === "string") {
    const id = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return exampleOf(components.get(id) ?? {}, components, name);
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum))
    return schema.enum[schema.enum.length > 1 && schema.enum[0] === "owner" ? 1 : 0];
  if (schema.format === "date-time") return "2030-01-31T08:00:00.000Z";
  const fitting = byName[name];
  if (fitting !== undefined && fits(schema, fitting)) return fitting;
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) {
    return exampleOf(parts.find((part) => part.type !== "null" && part.const !== "") ?? {}, components, name);
  }
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(
          ([key]) =>
            !alternatives.has(key) &&
            !isInPlaceOfContent(key, schema) &&
            !isInPlaceOfRecipients(key, schema) &&
            !isInPlaceOfTo(key, schema) &&
            !isAlternative(schema, key),
        )
        .map(([key, field]) => [
          key,
          (isRendered(schema) ? rendered[key] : undefined) ?? exampleOf(field, components, key),
        ]),
    );
  }
  return ofType(schema, components, name);
}

function ofType(schema: JsonSchema, components: ReadonlyMap<string, JsonSchema>, name: string): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array")
    return schema.items === undefined ? [] : [exampleOf(schema.items, components, singular(name))];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Math.max(1, Number(schema.minimum ?? 1));
  if (type === "object") return {};
  if (type === "null") return null;
  if (schema.format === "date-time") return "2030-01-31T08:00:00.000Z";
  if (name === "to") return "Grace <grace@example.com>";
  if (schema.format === "uuid") return "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";
  return name === "" ? "text" : name.replaceAll("_", " ");
}

const singular = (name: string): string => name.replace(/s$/, "");

/** Whether a value has the type that a schema requires. */
function fits({ type, anyOf, oneOf, format, items, $ref }: JsonSchema, value: unknown): boolean {
  // A schema with a name of its own is an object.
  if ($ref !== undefined) return typeof value === "object" && !Array.isArray(value);
  if (items !== undefined && Array.isArray(value) && value.some((one) => !fits(items, one))) return false;
  const parts = anyOf ?? oneOf;
  if (parts !== undefined) return parts.some((part) => fits(part, value));
  if (format === "uuid") return false;
  const kind = Array.isArray(value) ? "array" : typeof value === "number" ? "integer" : typeof value;
  return type === undefined || type === kind || (Array.isArray(type) && type.includes(kind));
}
