import { expect, test } from "vitest";
import { safeJson, safeJsonLines, shownText, withoutTurns } from "./safe-text.ts";

test("escapes control characters in JSON on one line, with the same meaning", () => {
  const value = { text: "\u009b31m \u202e \u2028 \u007f ä" };
  const json = safeJson(value);
  expect(json).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  expect(JSON.parse(json)).toEqual(value);
});

test("escapes control characters in indented JSON as well", () => {
  const value = { text: "\u009b31m \u202e \n" };
  expect(safeJsonLines(value)).toBe('{\n  "text": "\\u009b31m \\u202e \\n"\n}');
  expect(JSON.parse(safeJsonLines(value))).toEqual(value);
});

test("keeps lines and colours of a message, and replaces characters that change the writing direction", () => {
  expect(withoutTurns("\u001b[2m\u202eevil\u2066\n\u001b[0m")).toBe("\u001b[2m�evil�\n\u001b[0m");
});

test("shows a text of others on a terminal without what would steer it, and leaves it to programs as it is", () => {
  const text = "a\tb\r\n\u001b]52;c;cHduZWQ=\u0007 \u009b2J\rc \u202e\n";
  expect(shownText(text, { isTTY: true })).toBe("a\tb\r\n�]52;c;cHduZWQ=� �2J�c �\n");
  expect(shownText(text, {})).toBe(text);
});
