import { expect, test } from "vitest";
import { personName, workspaceName } from "./name-field.ts";

test.each([personName, workspaceName])("a name that is too long is examined no further", (field) => {
  const { error } = field.safeParse(`${"x".repeat(101)}.example/\u202e`);
  expect(error?.issues.map(({ message }) => message)).toEqual(["is longer than 100 characters"]);
});
