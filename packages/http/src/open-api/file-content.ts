import type { JsonSchema } from "./schemas.ts";

/** A body that is a file of any type, as it is. */
export const fileContent = (): Record<string, { schema: JsonSchema; example: unknown }> => ({
  "*/*": {
    schema: { type: "string", contentMediaType: "application/octet-stream" },
    example: "the bytes of a file",
  },
});

/** A list as a file, where a body may also be one. */
export const listContent = (): ReturnType<typeof fileContent> => ({
  "text/csv": { schema: { type: "string" }, example: "email,name\nada@example.com,Ada\n" },
  "application/x-ndjson": {
    schema: { type: "string" },
    example: '{"to":"ada@example.com","template_data":{"name":"Ada"}}\n',
  },
});
