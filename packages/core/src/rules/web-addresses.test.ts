import { expect, test } from "vitest";
import { holdsLink, holdsWebAddress } from "./web-addresses.ts";

test.each([
  ["https://evil.example", true, true],
  ["win now evil.example/x", true, true],
  ["go to WWW.evil.example", true, true],
  ["t.co/x1", true, true],
  ["evil.example:8080/x", true, true],
  ["ключ.рф/а", true, true],
  ["evil.example", false, true],
  ["Booking.com", false, true],
  ["mail eve@evil.example", false, true],
  ["J. R. R. Tolkien", false, false],
  ["Dr.Smith, Ph.D.", false, false],
  ["Ada Lovelace M.Sc.", false, false],
  ["St.John and/or Co.", false, false],
  ["John Q.Public", false, false],
])("%s: link %s, web address %s", (text, link, address) =>
  expect([holdsLink(text), holdsWebAddress(text)]).toEqual([link, address]),
);

test.each(["x", "x-", "x.", "1", "/", "www"])("a megabyte of %j takes linear time", (part) => {
  expect(holdsWebAddress(part.repeat(1_000_000 / part.length))).toBe(false);
});
