import type { JsonSchema } from "./schemas.ts";

/** A body that is a file of any type, as it is. */
export const fileContent = (): Record<string, { schema: JsonSchema; example: unknown }> => ({
  "*/*": {
    schema: { type: "string", contentMediaType: "application/octet-stream" },
    example: "the bytes of a file",
  },
});
