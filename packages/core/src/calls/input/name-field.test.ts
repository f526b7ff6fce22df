import { expect, test } from "vitest";
import { existingName, personName, workspaceName } from "./name-field.ts";

test.each([personName, workspaceName])("a name that is too long is examined no further", (field) => {
  const { error } = field.safeParse(`${"x".repeat(101)}.example/\u202e`);
  expect(error?.issues.map(({ message }) => message)).toEqual(["is longer than 100 characters"]);
});

test("two megabytes of accents in another order than the canonical one take linear time", () => {
  const { error } = workspaceName.safeParse(`a${"\u0301\u0323".repeat(1_000_000)}`);
  expect(error?.issues.map(({ message }) => message)).toEqual(["is longer than 100 characters"]);
});

test("a name of 100 characters after normalising is accepted, whatever its length before", () => {
  const decomposed = "\u1f82".repeat(100).normalize("NFD");
  expect([decomposed.length, workspaceName.parse(decomposed).length]).toEqual([400, 100]);
});

test.each([workspaceName, existingName])(
  "an emoji is one character of a name, as of JSON Schema",
  (field) => {
    expect(field.parse("😀".repeat(100))).toBe("😀".repeat(100));
    const { error } = field.safeParse("😀".repeat(101));
    expect(error?.issues.map(({ message }) => message)).toEqual(["is longer than 100 characters"]);
  },
);
