import { expect, test } from "vitest";
import { parseHttpDate } from "./parse-http-date.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each([
  ["Thu, 01 Jan 2026 00:01:00 GMT", "2026-01-01T00:01:00Z"],
  ["Thursday, 01-Jan-26 00:01:00 GMT", "2026-01-01T00:01:00Z"],
  ["Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"],
  ["Wednesday, 01-Jan-76 00:00:00 GMT", "2076-01-01T00:00:00Z"],
  ["Saturday, 01-Jan-77 00:00:00 GMT", "1977-01-01T00:00:00Z"],
  ["Thu Jan  1 00:01:00 2026", "2026-01-01T00:01:00Z"],
  ["Mon Nov 30 09:00:00 2026", "2026-11-30T09:00:00Z"],
])("reads the HTTP date %s", (text, time) => {
  expect(parseHttpDate(text, now)).toBe(Date.parse(time));
});

test.each([
  "",
  "soon",
  "2026-01-01",
  "2026-01-01T00:01:00Z",
  "Thu, 1 Jan 2026 00:01:00 GMT",
  "Thu, 01 Jan 2026 00:01:00 +0000",
  "Thu, 01 Foo 2026 00:01:00 GMT",
  "Thu, 01 Jan 2026 25:01:00 GMT",
  "Thu Jan  1 00:01:00 2026 GMT",
])("reads no HTTP date from %j", (text) => {
  expect(parseHttpDate(text, now)).toBeUndefined();
});
