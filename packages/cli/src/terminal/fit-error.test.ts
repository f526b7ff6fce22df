import { expect, test } from "vitest";
import { fitError } from "./fit-error.ts";

const narrow = { isTTY: true, columns: 30 };

test("an error is broken between words at the terminal's width, each line by itself", () => {
  expect(
    fitError(
      "error: The database of the profile can't be reached.\n  a: is not known here and nowhere",
      narrow,
    ),
  ).toBe("error: The database of the\nprofile can't be reached.\n  a: is not known here and\n  nowhere");
  expect(fitError("x".repeat(40), narrow)).toBe(`${"x".repeat(30)}\n${"x".repeat(10)}`);
});

test("a command that a hint names is never broken", () => {
  expect(fitError("See where it leads, then try: posthorn profiles login --help", narrow)).toBe(
    "See where it leads, then try:\n  posthorn profiles login --help",
  );
  expect(fitError("Try: posthorn emails list", narrow)).toBe("Try: posthorn emails list");
});

test("a pipe gets the text as it is, and a terminal that tells no width has 80 columns", () => {
  const long = "word ".repeat(30).trim();
  expect(fitError(long, {})).toBe(long);
  expect(
    fitError(long, { isTTY: true, columns: 0 })
      .split("\n")
      .map(({ length }) => length),
  ).toEqual([79, 69]);
});
