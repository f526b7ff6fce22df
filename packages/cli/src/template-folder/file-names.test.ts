import { expect, test } from "vitest";
import { nameOfStem, stemOf } from "./file-names.ts";

test("every template name becomes a file name in the folder, and can be read back", () => {
  for (const name of [
    "welcome",
    "Größe 1",
    "../../etc/passwd",
    ".hidden",
    "a%b",
    "a:b*c?",
    "dots..",
    "tab\there",
    "😀",
  ]) {
    const stem = stemOf(name);
    expect(stem).not.toMatch(/[/\\:*?"<>|\p{Cc}]|^\.|[. ]$/u);
    expect(nameOfStem(stem)).toBe(name);
  }
});
