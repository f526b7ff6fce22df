import { iso, z } from "zod";
import { type Wire, wire } from "../route.ts";
import { rememberLast } from "./remember-last.ts";

/** Names of schemas in the OpenAPI document. */
export const schemaNames = z.registry<{ id: string }>();

/** Names a schema in the OpenAPI document. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  schemaNames.add(schema, { id });
  return schema;
}

/** ISO 8601 UTC with milliseconds and `Z` (decisions §1). */
export const timestamp = iso.datetime({ precision: 3 });

/**
 * Converts ms since the epoch to a timestamp. Of e-mails that are accepted together, most have the same time, and V8 writes one by a
 * way that takes as long as an answer's JSON.
 */
export const time = rememberLast((ms) => new Date(ms).toISOString());

/** A timestamp, or null. */
export const timeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : time(ms));

export const integer = z.int();
export const uuid = z.uuid();
export const role = z.enum(["owner", "admin", "editor", "viewer"]);

const message = named("Message", z.object({ message: z.string() }));

/** The use case's message. */
export const messageWire = wire(message, ({ message: text }: { message: string }) => ({ message: text }));

/** A wire form with a fixed message. */
export function fixedMessage(text: string): Wire<unknown, typeof message> {
  return wire(message, () => ({ message: text }));
}

/** Wire form of responses without a body. */
export const noContent: Wire<unknown, z.ZodNull> = wire(z.null(), () => null);

/** A wire form for arrays, in order. */
export function arrayOf<T, R extends z.ZodType>(item: Wire<T, R>): Wire<readonly T[], z.ZodArray<R>> {
  return {
    schema: z.array(item.schema),
    from: (values) => values.map((value) => item.from(value)) as z.input<z.ZodArray<R>>,
  };
}

/** A wire form for complete lists, without page numbers (decisions §1). */
export function listOf<T, R extends z.ZodType>(
  item: Wire<T, R>,
): Wire<{ items: readonly T[] }, z.ZodArray<R>> {
  const { schema, from } = arrayOf(item);
  return { schema, from: ({ items }) => from(items) };
}
