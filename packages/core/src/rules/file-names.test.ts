import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/any-character.ts";
import { cleanFilename } from "./file-names.ts";
import { mediaTypeFault, mediaTypeOf, withoutName } from "./media-types.ts";

test.each([
  ["report.pdf", "report.pdf"],
  ["/etc/passwd", "passwd"],
  ["C:\\Users\\me\\a b.doc", "a b.doc"],
  ["..\\..\\x", "x"],
  ["\u202Egpj.exe", "gpj.exe"],
  ["a\0b\r\nc\u2028.txt", "abc.txt"],
  ["  Gro\u0308\u00dfe.pdf ", "Gr\u00f6\u00dfe.pdf"],
  ["\u{1F468}\u200D\u{1F469}.png", "\u{1F468}\u200D\u{1F469}.png"],
  ["", undefined],
  ["..", undefined],
  ["a/", undefined],
  ["\u202E", undefined],
])("%j is sent as %j", (given, name) => {
  expect(cleanFilename(given)).toBe(name);
});

test("a name in any script is at most 255 bytes, with its extension, and sanitising is idempotent", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 400, size: "max" }),
      fc.stringMatching(/^[a-z]{1,5}$/),
      (stem, end) => {
        const name = cleanFilename(`${stem}x.${end}`);
        expect(name).toMatch(new RegExp(`\\.${end}$`));
        expect(Buffer.byteLength(name ?? "")).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
        expect(cleanFilename(name ?? "")).toBe(name);
      },
    ),
  );
});

test.each([
  ["a.pdf", "application/pdf"],
  ["A.PDF", "application/pdf"],
  ["mail.eml", "message/rfc822"],
  ["a.unknown-thing", "application/octet-stream"],
  ["no extension", "application/octet-stream"],
  ["html", "application/octet-stream"],
  [".html", "application/octet-stream"],
])("%s is %s", async (name, type) => {
  expect(await mediaTypeOf(name)).toBe(type);
});

test("media types are accepted with parameters, and refused if mail software would parse them differently", () => {
  for (const good of ["text/plain; charset=utf-8", 'a/b;c="d e"', "message/rfc822", "image/svg+xml"])
    expect(mediaTypeFault(good), good).toBeUndefined();
  const bad = [
    "",
    "text",
    "text/",
    "*/*",
    "image/*",
    "+a/b",
    `a/${"b".repeat(128)}`,
    "a/b; c",
    "a/b;c=d\r\nX: y",
    "a/\u00e9",
    "multipart/mixed",
    "Message/partial",
  ];
  for (const type of bad) expect(mediaTypeFault(type), type).toBeDefined();
  expect(mediaTypeFault('text/plain; charset=utf-8; x="; charset=a"')).toBeUndefined();
  expect(mediaTypeFault("text/plain; charset=utf-8; Charset=utf-16")).toBe("has the parameter charset twice");
  expect(mediaTypeFault("text/plain; charset=utf-8; charset*=utf-8''a")).toBe(
    "has the parameter charset twice",
  );
  expect(mediaTypeFault("a/b; x*0*=utf-8''a; x*0=b")).toBe("has the parameter x*0 twice");
  // The parts of one value (RFC 2231).
  expect(mediaTypeFault("a/b; x*0*=utf-8''a; x*1=b; y=c")).toBeUndefined();
  expect(mediaTypeFault("message/rfc822; x=y")).toMatch(/without parameters/);
});

test.each([
  ["a/b; name=x.exe", "a/b"],
  ['a/b;c=d; NAME="x;name=y"; e=f', "a/b;c=d; e=f"],
  ["a/b; name*=utf-8''x.exe", "a/b"],
  ["a/b; name*0=x; name*1=y; names=z", "a/b; names=z"],
  ['a/b; x="; name=y"', 'a/b; x="; name=y"'],
])("a media type has no name beside that of the file (%s)", (given, left) => {
  expect(mediaTypeFault(given)).toBeUndefined();
  expect(withoutName(given)).toBe(left);
});
