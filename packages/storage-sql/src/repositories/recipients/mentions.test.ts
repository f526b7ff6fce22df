import { expect, test } from "vitest";
import { replacerOf } from "./mentions.ts";

const person = {
  workspaceId: 1,
  address: "O'Neil@Müller.example",
  addressKey: "o'neil@xn--mller-kva.example",
};
const erase = replacerOf(person, { by: "$&" });

test.each([
  ["as it was given", "to O'Neil@Müller.example."],
  ["in other letters", "to o'NEIL@MÜLLER.EXAMPLE."],
  ["with its domain in ASCII", "to O'Neil@xn--mller-kva.example."],
  ["in a URL as JavaScript encodes it", "?to=o'neil%40m%C3%BCller.example&a=1"],
  ["in a URL as other languages do", "?to=O%27Neil%40xn--mller-kva.example&a=1"],
  ["behind an encoded character", "?to=a%3CO%27neil%40xn--mller-kva.example"],
  ["behind an escape of JSON", String.raw`"a\no'neil@müller.example"`],
  ["behind a code of JSON", String.raw`"a\u003co'neil@müller.example"`],
  ["behind an escaped backslash and an escape", String.raw`"a\\\to'neil@müller.example"`],
  ["at the end of a sentence", "o'neil@müller.example. Next"],
])("an address is found %s, and replaced as a whole", (_, text) => {
  expect(erase(text)).toBe(
    text.replace(/o('|%27)neil(@|%40)(m(ü|%c3%bc)ller|xn--mller-kva)\.example/i, () => "$&"),
  );
  expect(erase(text)).not.toBe(text);
});

test.each([
  ["with more before it", "xo'neil@müller.example"],
  ["behind a hyphen", "to-o'neil@müller.example"],
  ["behind a plus", "a+o'neil@müller.example"],
  ["behind a letter that follows an escaped backslash", String.raw`"a\\no'neil@müller.example"`],
  ["with a longer domain", "o'neil@müller.examples"],
  ["with a domain below", "o'neil@müller.example.org"],
])("a longer address is none: %s", (_, text) => {
  expect(erase(text)).toBe(text);
});

test("in a key it may have any prefix, but no other end", () => {
  const eraseKey = replacerOf(person, { by: "erased", isKey: true });
  expect(eraseKey("to-o'neil@müller.example-1")).toBe("to-erased-1");
  expect(eraseKey("to-o'neil@müller.example.org")).toBe("to-o'neil@müller.example.org");
});

test("a function gets what was found", () => {
  const upper = replacerOf(person, { by: (found) => found.toUpperCase() });
  expect(upper("<o'neil@xn--mller-kva.example>")).toBe("<O'NEIL@XN--MLLER-KVA.EXAMPLE>");
});
