import { z } from "zod";
import { type Wire, wire } from "../route.ts";

/** The names under which schemas stand in the OpenAPI document. */
export const schemaNames = z.registry<{ id: string }>();

/** Gives a schema its name in the OpenAPI document. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  schemaNames.add(schema, { id });
  return schema;
}

/** ISO 8601 UTC with milliseconds and `Z` (decisions §1). */
export const timestamp = z.iso.datetime({ precision: 3 });

/** Ms since the epoch as a timestamp. */
export const time = (ms: number): string => new Date(ms).toISOString();

/** A time that may not have come yet. */
export const timeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : time(ms));

export const integer = z.int();
export const uuid = z.uuid();
export const role = z.enum(["owner", "admin", "editor", "viewer"]);

const message = named("Message", z.object({ message: z.string() }));

/** The message that the use case answers with. */
export const messageWire = wire(message, ({ message: text }: { message: string }) => ({ message: text }));

/** The same message every time. */
export function fixedMessage(text: string): Wire<unknown, typeof message> {
  return wire(message, () => ({ message: text }));
}

/** Nothing: for answers without a body. */
export const noContent: Wire<unknown, z.ZodNull> = wire(z.null(), () => null);

/** Things in their order. */
export function arrayOf<T, R extends z.ZodType>(item: Wire<T, R>): Wire<readonly T[], z.ZodArray<R>> {
  return {
    schema: z.array(item.schema),
    from: (values) => values.map((value) => item.from(value)) as z.input<z.ZodArray<R>>,
  };
}

/** A list that comes whole: on the wire without the numbers of a page (decisions §1). */
export function listOf<T, R extends z.ZodType>(
  item: Wire<T, R>,
): Wire<{ items: readonly T[] }, z.ZodArray<R>> {
  const { schema, from } = arrayOf(item);
  return { schema, from: ({ items }) => from(items) };
}
