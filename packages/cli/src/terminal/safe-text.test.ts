import { expect, test } from "vitest";
import { safeJson } from "./safe-text.ts";

test("JSON on one line hides nothing from a terminal and means the same", () => {
  const value = { text: "\u009b31m \u202e \u2028 \u007f ä" };
  const json = safeJson(value);
  expect(json).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  expect(JSON.parse(json)).toEqual(value);
});
