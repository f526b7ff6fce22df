import type { z } from "zod";

const any = new WeakSet<z.ZodType>();

/**
 * Lets a field have texts that no storage holds, because they are kept as bytes, or cleaned. Returns the schema, to be
 * wrapped further.
 */
export function anyText<S extends z.ZodType>(schema: S): S {
  any.add(schema);
  return schema;
}

/** Whether a field may have texts that no storage holds. */
export const takesAnyText = (schema: z.ZodType): boolean => any.has(schema);
