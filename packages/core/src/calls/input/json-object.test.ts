import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { parseJson } from "../../rules/json.ts";
import { jsonObject } from "./json-object.ts";
import { parseInput } from "./parse-input.ts";

const schema = z.strictObject({ data: jsonObject(400, "400 bytes").default({}) });
const dataOf = (data: unknown, jsonBytes?: number) => parseInput(schema, { data }, { jsonBytes }).data;

test("accepts an object parsed from a request's JSON unchanged", () => {
  const data = { list: [{ a: 1 }] };
  expect(dataOf(data, 20)).toBe(data);
});

test("converts a host's object to what is stored", () => {
  const data = { at: new Date(0) };
  expect(dataOf(data)).toEqual({ at: "1970-01-01T00:00:00.000Z" });
});

test("measures a parsed object that may be too large, without a copy", () => {
  const data = { text: "x".repeat(300) };
  expect(dataOf(data, 320)).toBe(data);
  expect(() => dataOf({ text: "x".repeat(400) }, 420)).toThrow("data: is larger than 400 bytes");
});

test.each([[[]], ["text"], [null], [7]])("refuses JSON that is no object: %j", (data) => {
  expect(() => dataOf(data, 10)).toThrow("data: must be an object");
});

test("refuses a field named __proto__", () => {
  expect(() => dataOf(JSON.parse('{"__proto__":{}}'), 20)).toThrow("__proto__");
});

const digits = fc.stringMatching(/^[1-9]\d{0,3}$/);
const number = fc
  .tuple(digits, fc.option(digits), fc.constantFrom("", "e", "e-", "E+"), fc.integer({ min: 1, max: 20 }))
  .map(
    ([whole, part, mark, exponent]) =>
      `${whole}${part === null ? "" : `.${part}`}${mark === "" ? "" : `${mark}${exponent}`}`,
  )
  .filter((text) => Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER);
const text = fc.string({ unit: "grapheme", maxLength: 20, size: "max" }).map((each) => JSON.stringify(each));

test("serialised JSON is at most four times as long as its source", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(number, text), { maxLength: 20, size: "max" }), (values) => {
      const json = Buffer.from(`[${values.join(",")}]`);
      const written = JSON.stringify(parseJson(json, { allowInexact: false }));
      expect(Buffer.byteLength(written)).toBeLessThanOrEqual(4 * json.length);
    }),
  );
  expect(JSON.stringify(JSON.parse("9e15"))).toHaveLength(16);
});
