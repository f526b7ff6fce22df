import { expect, test } from "vitest";
import { eraseItemKeys, eraseLink, eraseWords } from "./erase-words.ts";

const erasedAs = "erased-0badc0de@invalid";
const erase = (text: string): string => text.replaceAll("ada@x.example", erasedAs);

const words = {
  subject: "Your order 4711",
  tags: ["ada"],
  metadata: { order: 4711 },
  reply: "550 Ada is away",
  reason: "Ada asked",
};
const erased = (told: object, share?: "alone" | "shared"): unknown =>
  JSON.parse(eraseWords(JSON.stringify(told), share, { erase, erasedAs }));

test("an e-mail to the person alone loses its words, wherever the JSON has them, and no other field", () => {
  const gone = { subject: "(erased)", tags: [], metadata: {}, reply: "" };
  expect(erased({ ...words, id: 7, data: { ...words, status: "sent" } }, "alone")).toEqual({
    ...{ ...words, ...gone, id: 7 },
    data: { ...words, ...gone, status: "sent" },
  });
  // What is missing, or of another type, is not made up.
  expect(erased({ subject: 1, tags: "a", reply: null }, "alone")).toEqual({
    ...{ subject: 1, tags: "a", reply: null },
  });
});

test("one to others, too, keeps its words but for what a server or a suppression told of the person", () => {
  const told = { data: { ...words, url: "https://x.example/7" } };
  expect(erased(told, "shared")).toEqual({ data: words });
  expect(erased({ data: { ...words, recipient: "bob@x.example" } }, "shared")).toEqual({
    data: { ...words, recipient: "bob@x.example" },
  });
  for (const field of ["recipient", "email"])
    expect(erased({ data: { ...words, [field]: "ada@x.example" } }, "shared")).toEqual({
      data: { ...words, [field]: erasedAs, reply: "", reason: "" },
    });
});

test("JSON about none of the person's e-mails loses their link and words only where it is about them", () => {
  const url = "https://x.example/7";
  expect(erased({ recipient: "ada@x.example", data: { ...words, url } })).toEqual({
    recipient: erasedAs,
    data: words,
  });
  const mentioned = { note: "for ada@x.example", data: { ...words, url } };
  expect(erased(mentioned)).toEqual({ ...mentioned, note: `for ${erasedAs}` });
  expect(eraseWords('{ "data": {"url":""} }', undefined, { erase, erasedAs })).toBe('{ "data": {"url":""} }');
});

test("a message loses the link at its end, once the JSON beside it has it no more", () => {
  const link = '{"url":"https://x.example/7"}';
  const message = "https://x.example/7 was no typo: https://x.example/7";
  expect(eraseLink(`at: https://x.example/7, ${message}`, link, "{}")).toBe(
    "at: https://x.example/7, https://x.example/7 was no typo",
  );
  expect(eraseLink(message, link, link)).toBe(message);
  expect(eraseLink("Clicked: https://x.example/78", link, "{}")).toBe("Clicked: https://x.example/78");
  expect(eraseLink("Clicked: undefined", "{}", "{}")).toBe("Clicked: undefined");
});

test("keys of items lose the person only if the item is theirs", () => {
  const items = [
    { to: erasedAs, key: "to-ada@x.example" },
    { to: "bob@x.example", key: "to-ada@x.example" },
    { to: erasedAs, key: 7 },
    null,
  ];
  expect(JSON.parse(eraseItemKeys(JSON.stringify(items), { erase, erasedAs }))).toEqual([
    { to: erasedAs, key: `to-${erasedAs}` },
    ...items.slice(1),
  ]);
  const others = '[ {"to":"bob@x.example","key":"ada@x.example"} ]';
  expect(eraseItemKeys(others, { erase, erasedAs })).toBe(others);
});
