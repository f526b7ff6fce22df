import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/any-character.ts";
import { headerFault } from "./header-fields.ts";

describe("headerFault", () => {
  test.each([
    ["X-Campaign", "spring"],
    ["List-Unsubscribe", "<https://a.example/u>, <mailto:u@a.example>"],
    ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
    ["References", "<a@b> <c@d>"],
    ["In-Reply-To", "<a@b>"],
    ["Precedence", "bulk"],
    ["X-Grüße".slice(0, 4), "Grüße\tdort"],
    ["X-Auto-Response-Suppress", "OOF"],
    ["X-Googly", "eyes"],
    ["Feedback-ID", "spring:shop"],
  ])("allows %s", (name, value) => expect(headerFault(name, value)).toBeUndefined());

  test.each(
    (
      "From To Cc BCC Sender Reply-To Subject Date Message-ID MIME-Version Content-Type Content-Transfer-Encoding Content-X DKIM-Signature ARC-Seal " +
      "Received Received-SPF Return-Path Authentication-Results X-Service-Signature X-Posthorn-Id Resent-Bcc Delivered-To __proto__ " +
      "X-MS-Exchange-Organization-SCL X-Google-DKIM-Signature X-Original-From Return-Receipt-To Disposition-Notification-Options " +
      "X-Confirm-Reading-To Autocrypt Autocrypt-Gossip X-Failed-Recipients Auto-Submitted X-Spam-Status X-Gm-Message-State"
    ).split(" "),
  )("refuses %s in every case", (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      expect(headerFault(written, "x")).toMatch(/set by the service/);
  });

  test.each(["X-SMTPAPI", "x-msys-api", "X-MC-BccAddress"])(
    "refuses %s, from which a relay takes recipients",
    (name) => {
      expect(headerFault(name, '{"to":["eve@example.com"]}')).toBe(
        `${name} gives a relay further recipients`,
      );
    },
  );

  test.each(["", " ", "X A", "X:", "X-A:b", "X\r\nBcc", "X\0", "Ünder", "X-A ", "X\u2028"])(
    "refuses the name %j",
    (name) => {
      expect(headerFault(name, "x")).toBe("is not a header field name");
    },
  );

  test("refuses a name that is too long as such", () => {
    expect(headerFault("x".repeat(76), "x")).toBeUndefined();
    expect(headerFault("x".repeat(77), "x")).toBe("has a name of more than 76 characters");
  });

  test.each([
    "",
    "  ",
    "a\r\nBcc: v@evil.com",
    "a\nb",
    "a\rb",
    "a\0b",
    "a\u2028b",
    "a\u0085b",
    "a\u001bb",
    "a\u007fb",
    "a\ud800b",
    "x".repeat(995),
    "é".repeat(500),
  ])("refuses the value %j", (value) => expect(headerFault("X-A", value)).toBeDefined());

  test("allows the references of a long conversation", () => {
    const ids = (count: number) => "<0199d3c1@example.org> ".repeat(count);
    for (const name of ["References", "references"]) expect(headerFault(name, ids(300))).toBeUndefined();
    expect(headerFault("References", ids(400))).toBe("References is longer than 8192 bytes");
    expect(headerFault("In-Reply-To", ids(300))).toBe("In-Reply-To is longer than 998 bytes");
  });

  test("nothing that passes can start another line", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (name, value) => {
        if (headerFault(`X-${name}`, value) === undefined) expect(`${name}${value}`).not.toMatch(/[\r\n\0]/);
      }),
    );
  });
});
