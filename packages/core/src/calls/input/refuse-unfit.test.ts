import { expect, test } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../../test/refusal-of.ts";
import { parseInput } from "./parse-input.ts";

/** A list that counts how many of its items are read. */
function countingList(): { schema: z.ZodType; seen: () => number } {
  let seen = 0;
  const item = z.string().transform((text) => {
    seen += 1;
    return text;
  });
  return { schema: z.array(item).max(3, "takes at most 3"), seen: () => seen };
}

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

test.each<[string, (list: z.ZodType) => z.ZodType, (list: string[]) => unknown]>([
  ["a field", (list) => z.strictObject({ to: list }), (to) => ({ to })],
  ["a field with a default", (list) => z.strictObject({ to: list.optional() }), (to) => ({ to })],
  ["one of two forms", (list) => z.strictObject({ to: z.union([z.string(), list]) }), (to) => ({ to })],
  ["refined", (list) => z.strictObject({ to: list }).superRefine(() => {}), (to) => ({ to })],
])("a list that is too long is not parsed: %s", (_, wrap, give) => {
  const { schema, seen } = countingList();
  const { message, details } = refusalOf(wrap(schema), give(many(100_000)));
  expect([message, details, seen()]).toEqual([
    "to: takes at most 3",
    [{ path: "to", message: "takes at most 3" }],
    0,
  ]);
  parseInput(wrap(schema), give(many(3)));
  expect(seen()).toBe(3);
});

test("of very many unknown fields none is named, of many the first 20", () => {
  const schema = z.strictObject({ at: z.strictObject({ a: z.string().optional() }) });
  const give = (count: number) => ({ at: Object.fromEntries(many(count).map((name) => [`x${name}`, 1])) });
  expect(refusalOf(schema, give(1_002)).details).toEqual([
    { path: "at", message: "has too many unknown fields" },
  ]);
  const { details, message } = refusalOf(schema, give(1_001));
  expect(details).toHaveLength(20);
  expect(message).toBe("at.x0: is not a known field (and 1000 more)");
});

test("at most 20 faults are reported, with their total number", () => {
  const schema = z.strictObject({ list: z.array(z.int()) });
  const { details, message } = refusalOf(schema, { list: many(5_000) });
  expect([(details as unknown[]).length, message]).toEqual([
    20,
    "list.0: must be a whole number (and 4999 more)",
  ]);
});

test("a key that would be dropped silently is refused", () => {
  const schema = z.strictObject({ data: z.record(z.string(), z.unknown()).default({}) });
  const input = { data: JSON.parse('{"__proto__":{"a":1}}') as unknown };
  expect(refusalOf(schema, input).details).toEqual([
    { path: "data.__proto__", message: "is a name that can't be used" },
  ]);
});

test("an object with more fields than any may have is refused before they are read", () => {
  const record = z.record(z.string(), z.string());
  const data = Object.fromEntries(many(70_000).map((name) => [name, 1]));
  expect(refusalOf(z.strictObject({ data: record }), { data }).details).toEqual([
    { path: "data", message: "has too many fields" },
  ]);
});

test("nor are more than a thousand read whose values are checked one by one", () => {
  let seen = 0;
  const text = z.string().transform(() => {
    seen += 1;
  });
  const schema = z.strictObject({ headers: z.record(z.string(), text) });
  const give = (count: number) => ({ headers: Object.fromEntries(many(count).map((name) => [name, ""])) });
  expect(refusalOf(schema, give(1_001)).message).toBe("headers: has too many fields");
  expect(seen).toBe(0);
  parseInput(schema, give(1_000));
  expect(seen).toBe(1_000);
});
