import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../test/any-character.ts";
import { addressKey } from "./address-key.ts";
import {
  domainOf,
  formatMailbox,
  isSafeName,
  parseAddress,
  parseDomain,
  parseMailbox,
  tooLongIn,
} from "./addresses.ts";

describe("parseAddress", () => {
  test.each([
    ["a@b.co", "a@b.co"],
    ["First.Last+tag@Example.COM", "First.Last+tag@example.com"],
    ["o'hara!#$%&*/?=^_`{|}~-@ex-ample.org", "o'hara!#$%&*/?=^_`{|}~-@ex-ample.org"],
    ["a@bücher.example", "a@xn--bcher-kva.example"],
    ["a@bu\u0308cher.example", "a@xn--bcher-kva.example"],
    ["a@BÜCHER.example", "a@xn--bcher-kva.example"],
    ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
    ["a@例え.テスト", "a@xn--r8jz45g.xn--zckzah"],
    [`${"a".repeat(64)}@b.co`, `${"a".repeat(64)}@b.co`],
    ["1@2.c3", "1@2.c3"],
    ["é@b.co", "é@b.co"],
    ["e\u0301@b.co", "é@b.co"],
    ["Пользователь@пример.рф", "Пользователь@xn--e1afmkfd.xn--p1ai"],
    ["用户.名@例え.テスト", "用户.名@xn--r8jz45g.xn--zckzah"],
    [`${"ü".repeat(32)}@b.co`, `${"ü".repeat(32)}@b.co`],
  ])("accepts %j", (text, address) => expect(parseAddress(text)).toBe(address));

  test.each([
    "",
    "@",
    "a",
    "a@",
    "@b.co",
    "a@b",
    "a@localhost",
    "a@@b.co",
    "a@b@c.co",
    "v@evil.com,w@evil.com",
    "a@b.com;c@d.com",
    "a@b.com c@d.com",
    "a@b.com\0c@d.com",
    "a@b.com\0",
    "a@ex.com\r\nBcc: v@evil.com",
    "a@b.co\n",
    "\na@b.co",
    " a@b.co",
    "a@b.co ",
    "a\t@b.co",
    "a @b.co",
    '"a b"@c.co',
    '"xclow3n@gmail.com x"@internal.co',
    "a(c)@b.co",
    "a@b.co(c)",
    "group:a@b.co;",
    "<a@b.co>",
    "<@r.co:a@b.co>",
    "@r.co:a@b.co",
    "a@[127.0.0.1]",
    "a@[IPv6:::1]",
    "a@127.0.0.1",
    "a@0x7f.1",
    "a@1.2.3.4",
    "a@b.123",
    ".a@b.co",
    "a.@b.co",
    "a..b@c.co",
    "a@.b.co",
    "a@b.co.",
    "a@b..co",
    "a@-b.co",
    "a@b-.co",
    "a@b_c.co",
    "a@b.c\\o",
    `${"a".repeat(65)}@b.co`,
    `a@${"b".repeat(64)}.co`,
    `a@${"b.".repeat(126)}co`,
    `a@${"ü".repeat(60)}.co`,
    "a＠b.co",
    "a@ｂ.co",
    "a@b。co",
    "a@b．co",
    "a@①②⑦.co",
    "ａ@b.co",
    `${"ü".repeat(33)}@b.co`,
    "\u212a@b.co",
    "\u017f@b.co",
    "ü\u202e@b.co",
    "ü\u560d\u560a\u0000@b.co",
    "ü @b.co",
    "ü\u00a0@b.co",
    "ü\u3000@b.co",
    "ü“@b.co",
    "ﬁü@b.co",
    "a@b\u200b.co",
    "a@b\u202e.co",
    "a\u200d@b.co",
    "a@b\u3164.co",
    "a@b\u00ad.co",
    "a@b\ufe0f.co",
    "a@b.co\u2028",
    "a\u2028@b.co",
    "a@b\ud800.co",
    "=?utf-8?q?v=40evil.com?=@b.co",
    "a@xn--.co",
    "a%\u0000@b.co",
    "a@b.co?subject=x",
    "a@b.co/x",
    "a@b.co:25",
    "a@b%2eco",
    "mailto:a@b.co",
    "a@outloo\u212a.test",
    "a@mail\u017ferver.test",
    "a@b\u00fccher\u212a.test",
    "a=\u0338@b.co",
  ])("refuses %j", (text) => expect(parseAddress(text)).toBeUndefined());

  test("an accepted address is one harmless address, and is parsed the same again", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom("a", "b.co", "@", ".", "ü", "<", ">", ",", '"', "\r\n", "\0", "＠"),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const likely = fc
      .tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))
      .map(([a, b]) => `a${a}@b${b}.co`);
    fc.assert(
      fc.property(fc.oneof(text, likely), (candidate) => {
        const address = parseAddress(candidate);
        if (address === undefined) return;
        expect(address).toMatch(/^[^@]{1,64}@[a-z0-9.-]+\.[a-z0-9-]+$/);
        expect(address).toMatch(/^(?:[!-~]|[\p{L}\p{M}\p{N}])+$/u);
        expect(address).not.toMatch(/[\s",;:<>()[\]\\]/);
        expect(address.normalize("NFKC")).toBe(address);
        expect(Buffer.byteLength(address)).toBeLessThanOrEqual(254);
        expect(parseAddress(address)).toBe(address);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("of an address that is too long, the part is told", () => {
  const told = (text: string) => [parseAddress(text), tooLongIn(text)];
  const local = "a".repeat(64);
  expect(told(`${local}@b.example`)).toEqual([`${local}@b.example`, undefined]);
  expect(told(`a${local}@b.example`)).toEqual([undefined, "has more than 64 bytes before the @"]);
  expect(told(`${"é".repeat(33)}@b.example`)).toEqual([undefined, "has more than 64 bytes before the @"]);
  expect(told(`a@${"b.".repeat(126)}b`)).toEqual([undefined, "is longer than 254 characters"]);
  const words = "has a domain with more than 63 characters between two dots";
  expect(told(`a@${"b".repeat(64)}.example`)).toEqual([undefined, words]);
  for (const other of ["a", "@b.example", "a@b c", `<${"a".repeat(300)}>`, "a@b"])
    expect(told(other)).toEqual([undefined, undefined]);
});

describe("parseMailbox", () => {
  test.each([
    ["a@b.co", "", "a@b.co"],
    ["<a@b.co>", "", "a@b.co"],
    ["Ann Lee <a@b.co>", "Ann Lee", "a@b.co"],
    [' "Lee, Ann" <a@B.co> ', "Lee, Ann", "a@b.co"],
    ['"A \\"B\\" \\\\ <x@y.zz>" <a@b.co>', 'A "B" \\ <x@y.zz>', "a@b.co"],
    ["J. R. Café 👩‍🚀 <a@b.co>", "J. R. Café 👩‍🚀", "a@b.co"],
  ])("accepts %j", (text, name, address) => expect(parseMailbox(text)).toEqual({ name, address }));

  test.each([
    "",
    "Ann",
    "Ann <>",
    "Ann <a@b.co",
    "Ann a@b.co>",
    "Ann <a@b.co> x",
    "a@b.co <c@d.co>",
    "Lee, Ann <a@b.co>",
    "a@b.co, c@d.co",
    "A <a@b.co>, B <c@d.co>",
    "A <a@b.co>,<c@d.co>",
    '"A <a@b.co>',
    '"A\\x" <a@b.co>',
    '"A" "B" <a@b.co>',
    "A\r\nBcc: v@e.co <a@b.co>",
    '"A\nB" <a@b.co>',
    "A\0 <a@b.co>",
    "A\u202eB <a@b.co>",
    "A\u2028B <a@b.co>",
    "A\ud800 <a@b.co>",
    "A <<a@b.co>>",
    "A <a@b.co\n>",
    "G: A <a@b.co>;",
    "(c) A <a@b.co>",
    `${"n".repeat(201)} <a@b.co>`,
    "\u200bA <a@b.co>",
  ])("refuses %j", (text) => expect(parseMailbox(text)).toBeUndefined());

  test("parseMailbox reads what formatMailbox writes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (typed) => {
        const name = typed.normalize("NFC").trim();
        fc.pre(isSafeName(name));
        const mailbox = { name, address: "a@b.co" };
        expect(parseMailbox(formatMailbox(mailbox))).toEqual(mailbox);
      }),
    );
  });
});

test("a name has at most 200 characters, of which an emoji is one, as in the OpenAPI document", () => {
  expect(isSafeName("😀".repeat(200))).toBe(true);
  expect([isSafeName("😀".repeat(201)), isSafeName("a".repeat(201))]).toEqual([false, false]);
});

test("blanks within as many mailboxes as large batches have take linear time", () => {
  const text = `a${"\t".repeat(996)}b`;
  for (let count = 0; count < 400_000; count += 1) parseMailbox(text);
  expect(parseMailbox(text)).toBeUndefined();
});

test("addresses are compared ignoring case, and by domain", () => {
  expect(addressKey("Ann@b.co")).toBe("ann@b.co");
  expect(domainOf("Ann@b.co")).toBe("b.co");
  expect(addressKey("ann@outloo\u212a.test")).not.toBe("ann@outlook.test");
  expect(addressKey("JÜRG@b.co")).toBe("jürg@b.co");
  expect(addressKey("İ@b.co")).toBe("İ@b.co");
});

test("a domain in lower case is accepted exactly if it is in capitals", () => {
  const label = fc.stringMatching(/^[a-z0-9-]{0,4}$/);
  const name = fc.array(fc.oneof(label, fc.constantFrom("a".repeat(63), "a".repeat(64), "-", "", "7")), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(name, (labels) => {
      const domain = labels.join(".");
      expect(parseDomain(domain)).toBe(parseDomain(domain.toUpperCase()));
    }),
  );
  expect(parseDomain(`a.${"b".repeat(63)}`)).toBe(`a.${"b".repeat(63)}`);
  expect(parseDomain("a.7")).toBeUndefined();
});
