import { expect, test } from "vitest";
import { z } from "zod";
import { atLeastOne } from "./at-least-one.ts";
import { parseInput } from "./parse-input.ts";

const update = z
  .strictObject({ id: z.int(), name: z.string().optional(), note: z.string().optional() })
  .apply(atLeastOne, "id");

test("an update without a field to change is refused, and one with a field is accepted", () => {
  for (const input of [{ id: 7 }, { id: 7, name: undefined }])
    expect(() => parseInput(update, input)).toThrow("No field to change was given.");
  expect(parseInput(update, { id: 7, note: "" })).toEqual({ id: 7, note: "" });
});

test("an unknown field is the only fault reported", () => {
  expect(() => parseInput(update, { id: 7, nmae: "x" })).toThrow(
    /^nmae: is not a known field \(did you mean name\?\)$/,
  );
});
