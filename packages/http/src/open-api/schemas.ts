import { snakeCase } from "@posthorn/core/internal";
import { z } from "zod";
import { schemaNames } from "../contract/wire/schemas.ts";

/** A JSON Schema, as far as it is examined here. */
export interface JsonSchema {
  [keyword: string]: unknown;
  description?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minProperties?: number;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $defs?: Record<string, JsonSchema>;
}

/** Returns the schema of a response. Its named schemas move to `components` and are referred to. */
export function replySchema(schema: z.ZodType, components: Map<string, JsonSchema>): JsonSchema {
  // Wrapped, because a schema's name only has an effect inside another schema.
  const made = z.toJSONSchema(z.object({ it: schema }), { metadata: schemaNames }) as JsonSchema;
  for (const [id, definition] of Object.entries(made.$defs ?? {})) {
    const { id: _, ...rest } = definition;
    components.set(id, refer(rest) as JsonSchema);
  }
  return refer(made.properties?.it ?? {}) as JsonSchema;
}

function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === "$ref" ? String(entry).replace("#/$defs/", "#/components/schemas/") : refer(entry),
    ]),
  );
}

/** Returns the schema of a use case's input in wire names. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  return rename(made);
}

/** Renames known fields to their wire names; the keys of a record belong to the caller and stay. */
function rename(schema: JsonSchema): JsonSchema {
  const renamed: JsonSchema = { ...schema };
  if (schema.properties !== undefined) {
    renamed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, field]) => [snakeCase(key), rename(field)]),
    );
  }
  if (schema.required !== undefined) renamed.required = schema.required.map(snakeCase);
  if (schema.items !== undefined) renamed.items = rename(schema.items);
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    const parts = schema[keyword];
    if (parts !== undefined) renamed[keyword] = parts.map(rename);
  }
  return withoutUnsayable(renamed);
}

/** Removes alternatives that JSON can't represent, such as bytes: they are for hosts. */
function withoutUnsayable({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return schema;
  const sayable = anyOf.filter((part) => Object.keys(part).length > 0);
  const [only] = sayable;
  return sayable.length === 1 && only !== undefined
    ? { ...schema, ...only, ...schema }
    : { ...schema, anyOf: sayable };
}
