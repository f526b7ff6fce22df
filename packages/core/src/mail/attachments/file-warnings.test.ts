import { expect, test } from "vitest";
import { fileWarnings } from "./file-warnings.ts";

const file = (size: number) => ({
  filename: "a.bin",
  contentType: "application/octet-stream",
  contentId: undefined,
  digest: "",
  source: 1,
  size,
});

test("Gmail's limit counts the encoded size, a third more than the files", () => {
  const codes = (...sizes: number[]) => fileWarnings("", sizes.map(file)).map(({ code }) => code);
  const most = 18.75 * 1024 * 1024;
  expect(codes(most)).toEqual([]);
  expect(codes(most, 1)).toEqual(["over_gmail_limit"]);
});
