import { describe, expect, test } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../../test/refusal-of.ts";

const wordsOf = (field: z.ZodType, value?: unknown): unknown =>
  (refusalOf(z.strictObject({ field }), { field: value }).details as { message: string }[]).map(
    ({ message }) => message,
  );

describe("faults of a field", () => {
  const either = z.union([z.string().min(3), z.array(z.string()).max(1)]);
  test.each<[string, z.ZodType, unknown]>([
    ["is required", z.string(), undefined],
    ["is required", z.enum(["a", "b"]), undefined],
    ["is required", either, undefined],
    ["must be a string", z.string(), null],
    ["must be a number", z.number(), "1"],
    ["must be a whole number", z.int(), "1"],
    ["must be a whole number", z.int(), 1.5],
    ["must be true or false", z.boolean(), "yes"],
    ["must be a list", z.array(z.string()), "a"],
    ["must be an object", z.strictObject({}), []],
    ["must be an object", z.record(z.string(), z.unknown()), "a"],
    ["must be one of a, b", z.enum(["a", "b"]), "c"],
    ['must be "a"', z.literal("a"), "c"],
    ["is not a UUID", z.uuid(), "7"],
    ["is not of the right form", z.string().regex(/^a/), "b"],
    ["must have at least 1 character", z.string().min(1), ""],
    ["must have at most 3 characters", z.string().max(3), "long"],
    ["must have at least 2 items", z.array(z.int()).min(2), [1]],
    ["must have at most 1 item", z.array(z.int()).max(1), [1, 2]],
    ["must be at least 0", z.int().min(0), -1],
    ["must be at most 100", z.int().max(100), 101],
    ["must be more than 0", z.int().positive(), 0],
    ["must be less than 2", z.number().lt(2), 2],
    ["must be at most 9007199254740991", z.int(), 2 ** 60],
    ["must be a multiple of 5", z.number().multipleOf(5), 7],
    ["must have at least 3 characters", either, "ab"],
    ["must have at most 1 item", either, ["a", "b"]],
    ["must be a string, or must be a list", either, 7],
    ["is our own word", z.string("is our own word"), 7],
    ["is our own word", z.string().refine(() => false, "is our own word"), "a"],
  ])("%s", (words, field, value) => {
    expect(wordsOf(field, value)).toEqual([words]);
  });

  test("a fault within one of a field's alternatives has its path", () => {
    const field = z.union([z.string(), z.array(z.string())]);
    expect(refusalOf(z.strictObject({ field }), { field: ["a", 7] }).details).toEqual([
      { path: "field.1", message: "must be a string" },
    ]);
  });
});

test("every fault is reported, the first in the message", () => {
  const refusal = refusalOf(z.strictObject({ name: z.string(), size: z.int() }), { size: "1", other: "" });
  expect(refusal).toMatchObject({
    code: "validation_failed",
    message: "name: is required (and 2 more)",
    details: [
      { path: "name", message: "is required" },
      { path: "size", message: "must be a whole number" },
      { path: "other", message: "is not a known field" },
    ],
  });
});

test("an unknown field that resembles a missing one of its object is told first", () => {
  const item = z.strictObject({ name: z.string() });
  const refusal = refusalOf(z.strictObject({ size: z.int(), items: z.array(item) }), {
    items: [{ nam: "" }],
  });
  expect(refusal).toMatchObject({
    message: "items.0.nam: is not a known field (did you mean name?) (and 2 more)",
    details: [{ path: "items.0.nam" }, { path: "size" }, { path: "items.0.name", message: "is required" }],
  });
});

test("an unknown field is compared with those of its own object, also within lists and alternatives", () => {
  const item = z.strictObject({ displayName: z.string().optional() });
  const schema = z.strictObject({ items: z.array(z.union([z.string(), item])), display: z.int().optional() });
  expect(refusalOf(schema, { items: [{ display_name: "Ada" }, { nickname: "Ada" }] }).details).toEqual([
    { path: "items.0.display_name", message: "is not a known field (did you mean displayName?)" },
    { path: "items.1.nickname", message: "is not a known field" },
  ]);
});

test("a long name is cut in the path of its fault", () => {
  const name = "n".repeat(1_000);
  expect(refusalOf(z.strictObject({}), { [name]: 1 }).message).toBe(
    `${"n".repeat(100)}…: is not a known field`,
  );
  const record = z.object({ data: z.record(z.string(), z.string()) });
  expect(refusalOf(record, { data: { [name]: 1 } })).toMatchObject({
    details: [{ path: `data.${"n".repeat(100)}…` }],
  });
});

test.each([undefined, null, [], "text"])("an input that is no object: %j", (input) => {
  expect(refusalOf(z.strictObject({}), input)).toMatchObject({
    message: "The input must be an object.",
    // A batch puts an item's path before it.
    details: [{ path: "", message: input === undefined ? "is required" : "must be an object" }],
  });
});
