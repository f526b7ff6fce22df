import { expect, test } from "vitest";
import { dotStuff } from "./dot-stuff.ts";

test.each([
  ["", ""],
  ["a\r\n", "a\r\n"],
  [".\r\n", "..\r\n"],
  ["a\r\n.b\r\n", "a\r\n..b\r\n"],
  [".a\r\n.\r\n..b\r\nc.\r\n", "..a\r\n..\r\n...b\r\nc.\r\n"],
  ["a\r\n.", "a\r\n..\r\n"],
  ["a", "a\r\n"],
  // RFC 5321 section 4.1.1.4: a line ends with both.
  ["a\n", "a\n\r\n"],
  ["a\r", "a\r\r\n"],
  ["a\n.\n", "a\n.\n\r\n"],
])("%j is sent as %j", (content, expected) => {
  expect(dotStuff(Buffer.from(content)).toString()).toBe(expected);
});
