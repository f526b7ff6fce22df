import type { JsonSchema } from "./schemas.ts";

/** Body that is a file of any type. */
export const fileContent = (): Record<string, { schema: JsonSchema; example: unknown }> => ({
  "*/*": {
    schema: { type: "string", contentMediaType: "application/octet-stream" },
    example: "the bytes of a file",
  },
});

/** Body that may also be a list in a file. */
export const listContent = (): ReturnType<typeof fileContent> => ({
  "text/csv": { schema: { type: "string" }, example: "email,name\nada@example.com,Ada\n" },
  "application/x-ndjson": {
    schema: { type: "string" },
    example: '{"to":"ada@example.com","template_data":{"name":"Ada"}}\n',
  },
});
