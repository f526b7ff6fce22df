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

test("Gmail's limit counts the files as they are sent: in base64, with its line breaks", () => {
  const codes = (...sizes: number[]) => fileWarnings("", sizes.map(file)).map(({ code }) => code);
  // 336,082 lines of 57 bytes are sent as 78 each.
  const most = 336_082 * 57;
  expect(codes(most)).toEqual([]);
  expect(codes(most, 57)).toEqual(["over_gmail_limit"]);
});

test("a content id is known where the html writes it as URLs may", () => {
  const logo = { ...file(1), contentId: "logo@shop.example" };
  expect(fileWarnings('<img src="cid:logo%40shop.example">', [logo])).toEqual([]);
  expect(fileWarnings('<img src="cid:logo%4">', [logo]).map(({ code }) => code)).toEqual([
    "cid_unknown",
    "cid_unused",
  ]);
});
