import { expect, test } from "vitest";
import { csvHeader, csvLine } from "./csv.ts";

test("rows have the fields of the first one, quoted where necessary", () => {
  const first = { id: 1, to: ["a@example.com"], subject: 'Say "hi", Ada', sent_at: null };
  expect(csvHeader(first)).toBe("id,to,subject,sent_at\r\n");
  expect(csvLine(first, first)).toBe('1,"[""a@example.com""]","Say ""hi"", Ada",\r\n');
  expect(csvLine({ subject: "two\nlines", id: 2, more: true }, first)).toBe('2,,"two\nlines",\r\n');
});

test("escapes text that a spreadsheet would run as a formula", () => {
  const row = { a: "=HYPERLINK(1)", b: "+1", c: "-2", d: "@x", e: -3 };
  expect(csvLine(row, row)).toBe("'=HYPERLINK(1),'+1,'-2,'@x,-3\r\n");
});
