import { expect, test } from "vitest";
import { sampleMessage } from "../../../test/sample-message.ts";
import { createComposer } from "../../compose/compose-message.ts";
import { smallContent } from "./message-pieces.ts";

test.each(["plain", "naïve"])("doubles the dot of a field's name beside a text that is %s", (text) => {
  const headers = [{ name: ".From", value: "Eve <eve@example.com>" }];
  const source = createComposer()(sampleMessage({ headers, text, html: "" }));
  const lines = String(smallContent(source)).split("\r\n");
  // A server takes one dot off: what is left must not be another sender.
  expect(lines.filter((line) => /^\.+from:/i.test(line))).toEqual(["..From: Eve <eve@example.com>"]);
});
