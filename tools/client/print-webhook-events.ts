import { printDoc } from "../verbs/print-type.ts";
import { printSchema, type Schema } from "./print-schema.ts";

/** The part of the document's webhooks that is printed. */
type WebhookItems = Record<
  string,
  { post: { requestBody: { content: Record<string, { schema: Schema }> } } }
>;

/** Returns the files with the types of what is posted to webhooks: those about e-mails, and all others with the union. */
export function printWebhookEvents(items: WebhookItems): [string, string][] {
  const types = Object.keys(items);
  const ofEmails = types.filter((type) => type.startsWith("email."));
  const print = (chosen: readonly string[]): string =>
    chosen.map((type) => printEvent(type, items)).join("\n");
  const imported = ofEmails.map(nameOf).join(", ");
  const union = `/** What is posted to a webhook; \`event\` names the type. */\nexport type WebhookEvent = ${types.map(nameOf).join(" | ")};\n`;
  const others = print(types.filter((type) => !ofEmails.includes(type)));
  return [
    ["webhook-email-events.ts", print(ofEmails)],
    [
      "webhook-events.ts",
      `import type { ${imported} } from "./webhook-email-events.ts";\n\n${union}\n${others}`,
    ],
  ];
}

const nameOf = (type: string): string =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

function printEvent(type: string, items: WebhookItems): string {
  const schema = items[type]?.post.requestBody.content["application/json"]?.schema ?? {};
  return `${printDoc(`The body of \`${type}\`.`, "")}export interface ${nameOf(type)} ${printSchema(schema)}\n`;
}
