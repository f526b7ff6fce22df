import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerFault } from "../../mail/rules/header-fields.ts";
import { isSafeName, parseAddress, parseDomain, parseMailbox } from "../../rules/addresses.ts";
import { isLanguageTag } from "../../rules/language-tags.ts";
import { mediaTypeFault } from "../../rules/media-types.ts";
import { timeZoneNamed } from "../../rules/time-zones.ts";
import { parseSuppressed } from "../../suppressions/rules/suppression-key.ts";
import { externalId } from "../external-id.ts";
import * as patterns from "./text-patterns.ts";

const {
  addressPattern,
  domainPattern,
  headerPattern,
  languagePattern,
  linePattern,
  mailboxPattern,
  mediaTypePattern,
  namePattern,
  suppressedPattern,
  timeZonePattern,
} = patterns;

const accepts = (pattern: string, text: string): boolean => new RegExp(pattern, "u").test(text);

const mailboxes = [
  "a@b.example",
  "Ada <ada@mail.b.example>",
  '"Lovelace, Ada \\"Countess\\"" <ada+x@b.example>',
  "Zoë Ünal <zoë@bücher.example>",
  "<a@b.example>",
  "a@xn--bcher-kva.example",
  "a@пример.рф",
  "a@b.xn--p1ai",
  "𐀀@𐀀.က",
  `${"x".repeat(64)}@b.example`,
];
const refused = [
  "",
  "a",
  "a@",
  "@b.example",
  "a@b",
  "a b@c.example",
  "a@b.example, c@d.example",
  "a@@b.example",
];

test.each(mailboxes)("the pattern of a mailbox accepts %s, as the parser does", (text) => {
  expect([parseMailbox(text) !== undefined, accepts(mailboxPattern, text)]).toEqual([true, true]);
});
test.each([...refused, "Ada <a@b.example", "a@b.example>"])(
  "the pattern of a mailbox refuses %j, as the parser does",
  (text) => {
    expect([parseMailbox(text) !== undefined, accepts(mailboxPattern, text)]).toEqual([false, false]);
  },
);

test.each(["ada@b.example", "zoë@bücher.example", "a@пример.рф"])(
  "the pattern of an address accepts %s, as the parser does",
  (text) => expect([parseAddress(text) !== undefined, accepts(addressPattern, text)]).toEqual([true, true]),
);
test.each([...refused, "Ada <a@b.example>"])("the pattern of an address refuses %j", (text) =>
  expect(accepts(addressPattern, text)).toBe(false),
);

test.each(["a", " a", "\ta\tb ", "\u00a0a", "", " ", "\t", "a\n", "\na", "\u0085a"])(
  "the pattern of a header field's value decides on %j as the server does",
  (text) => expect(accepts(headerPattern, text)).toBe(headerFault("X-Shop", text) === undefined),
);
test.each(["a", " a b", "\u00a0a", "", " ", "\u00a0", "a\tb", "\u0085a"])(
  "the pattern of a name decides on %j as the server does",
  (text) => expect(accepts(namePattern, text)).toBe(text.trim() !== "" && isSafeName(text)),
);

test.each(Object.entries(patterns))("%s takes linear time", (_, pattern) => {
  for (const part of ["a", " ", "é", "a.", "\n", '\\"', "a/", "a;", "\nEND:VCALENDAR"])
    for (const start of ["", "a@", '"', "a/b", "BEGIN:VCALENDAR\n"])
      expect(accepts(pattern, `${start}${part.repeat(400_000 / part.length)}\n\0`)).toBe(false);
});

describe("no pattern refuses what its parser accepts", () => {
  const typed = fc.oneof(
    fc.emailAddress(),
    fc.domain(),
    fc.domain().map((name) => `@${name}`),
    fc.tuple(fc.string({ unit: "grapheme" }), fc.emailAddress()).map(([name, at]) => `${name} <${at}>`),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "en",
      "pt-BR",
      "zh-Hant-TW",
      "UTC",
      "Europe/Paris",
      "America/Argentina/Salta",
      "Etc/GMT+5",
    ),
    fc.constantFrom("text/plain", "text/calendar; method=REQUEST", 'a/b; c="d e"', "image/svg+xml"),
  );
  test.each<[string, string, (text: string) => boolean]>([
    ["an address", addressPattern, (text) => parseAddress(text) !== undefined],
    ["a mailbox", mailboxPattern, (text) => parseMailbox(text) !== undefined],
    ["a suppressed address", suppressedPattern, (text) => parseSuppressed(text) !== undefined],
    ["a domain", domainPattern, (text) => parseDomain(text) !== undefined],
    ["a language", languagePattern, isLanguageTag],
    ["a time zone", timeZonePattern, (text) => timeZoneNamed(text) !== undefined],
    ["an external id", linePattern, (text) => externalId.safeParse(text).success],
    ["a media type", mediaTypePattern, (text) => mediaTypeFault(text) === undefined],
  ])("that of %s", (_, pattern, isAccepted) => {
    fc.assert(
      fc.property(typed, (text) => {
        if (text === text.trim() && isAccepted(text)) expect(accepts(pattern, text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
