import { expect, test } from "vitest";
import { safeJson, safeJsonLines, withoutTurns } from "./safe-text.ts";

test("JSON on one line hides nothing from a terminal and means the same", () => {
  const value = { text: "\u009b31m \u202e \u2028 \u007f ä" };
  const json = safeJson(value);
  expect(json).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  expect(JSON.parse(json)).toEqual(value);
});

test("JSON on several lines is as safe, and is indented", () => {
  const value = { text: "\u009b31m \u202e \n" };
  expect(safeJsonLines(value)).toBe('{\n  "text": "\\u009b31m \\u202e \\n"\n}');
  expect(JSON.parse(safeJsonLines(value))).toEqual(value);
});

test("a remark keeps its lines and colours, and turns nothing", () => {
  expect(withoutTurns("\u001b[2m\u202eevil\u2066\n\u001b[0m")).toBe("\u001b[2m�evil�\n\u001b[0m");
});
