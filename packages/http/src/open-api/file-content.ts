import type { JsonSchema } from "./schemas.ts";

type Content = Record<string, { schema: JsonSchema; example: unknown }>;

/** Body that is a file of any type, or of either of the types between which `Accept` chooses. */
export const fileContent = (formats?: { type: string; insteadOf: string }): Content =>
  Object.fromEntries(
    (formats === undefined ? ["*/*"] : [formats.insteadOf, formats.type]).map((type) => [
      type,
      {
        schema: { type: "string", contentMediaType: type === "*/*" ? "application/octet-stream" : type },
        example: "the bytes of a file",
      },
    ]),
  );

/** Body that may also be a list in a file. */
export const listContent = (): Content => ({
  "text/csv": { schema: { type: "string" }, example: "email,name\nada@example.com,Ada\n" },
  "application/x-ndjson": {
    schema: { type: "string" },
    example: '{"to":"ada@example.com","template_data":{"name":"Ada"}}\n',
  },
});
