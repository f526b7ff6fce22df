import { expect, test } from "vitest";
import { beginningOf } from "./beginning-of.ts";

test.each([
  ["a text that fits", "full 📪", 7, "full 📪"],
  ["a text that is cut between characters", "full 📪!", 7, "full 📪"],
  ["a text that would be cut within one", "full 📪", 6, "full "],
  ["half of a character that the text itself ends with", "full \ud83d", 6, "full \ud83d"],
])("returns %s", (_, text, max, expected) => {
  expect(beginningOf(text, max)).toBe(expected);
});
