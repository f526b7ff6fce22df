import { expect, test } from "vitest";
import { findUnwritable } from "./find-unwritable.ts";

const order: Record<string, unknown> = { at: new Date(0), lines: [{ article: "coat" }] };
order["self"] = { order };

/** A list in a list in a list, each twice: 2 to the power of 30 ways lead to the last. */
let shared: unknown[] = [];
for (let level = 0; level < 30; level += 1) shared = [shared, shared];

test.each([
  ["a row's big id", { user: { name: "Ada", id: 7n } }, ["user", "id"]],
  ["one in a list", { ids: [1, 2n] }, ["ids", "1"]],
  ["an order within itself", { order }, ["order", "self", "order"]],
])("names where %s is", (_, value, path) => {
  expect(findUnwritable(value)?.path).toEqual(path);
});

test.each([
  ["nothing that JSON can't have", { a: [1, "x", null, new Date(0)] }],
  ["the same list on many levels", { shared }],
  ["one twice, but not in itself", { a: order["lines"], b: order["lines"] }],
])("finds nothing in %s", (_, value) => {
  expect(findUnwritable(value)).toBeUndefined();
});
