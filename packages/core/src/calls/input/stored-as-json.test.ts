import { expect, test } from "vitest";
import { z } from "zod";
import { storedAsJson } from "./stored-as-json.ts";

const field = z.record(z.string(), z.unknown()).check(storedAsJson(200, "200 bytes"));

test.each([
  ["a date, as a string", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
  ["a date in a list", { list: [{ at: new Date(0) }] }, { list: [{ at: "1970-01-01T00:00:00.000Z" }] }],
  ["an object with toJSON", { price: { toJSON: () => "9.90" } }, { price: "9.90" }],
  ["NaN, as null", { a: Number.NaN, b: Number.POSITIVE_INFINITY }, { a: null, b: null }],
  [
    "plain values, as they are",
    { a: [1, "b", null, true, { c: {} }] },
    { a: [1, "b", null, true, { c: {} }] },
  ],
])("accepts %s", (_, given, stored) => expect(field.parse(given)).toEqual(stored));

function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

test("accepts as many levels as a request's JSON may have", () =>
  expect(field.parse(nested(32))).toEqual(nested(32)));

const cycle: Record<string, unknown> = {};
cycle["itself"] = cycle;

test.each([
  ["a cycle", cycle, "contains itself"],
  ["a big integer", { id: 1n }, "is a big integer, which JSON does not have: give a number or a text"],
  [
    "an object that throws when read",
    {
      order: {
        get at() {
          throw new Error("no");
        },
      },
    },
    "can't be written as JSON",
  ],
  ["more levels than JSON may have", nested(33), "is nested more than 32 levels deep"],
  [
    "more of them after it was written",
    { at: { toJSON: () => nested(32) } },
    "is nested more than 32 levels deep",
  ],
  ["too much", { text: "x".repeat(200) }, "is larger than 200 bytes"],
])("refuses %s", (_, given, message) =>
  expect(field.safeParse(given).error?.issues.map((issue) => issue.message)).toEqual([message]),
);
