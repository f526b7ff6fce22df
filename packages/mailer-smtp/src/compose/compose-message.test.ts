import type { MailMessage } from "@posthorn/core";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { sampleMessage } from "../../test/sample-message.ts";
import { composeMessage } from "./compose-message.ts";

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const printable = fc.string({ unit: "grapheme", maxLength: 120 });
const headerText = printable.map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}\p{Cs}]+/gu, " ").trim());
const mailbox = fc.record({
  name: headerText,
  address: fc.tuple(word, word).map(([a, b]) => `${a}@${b}.example`),
});
const bodyText = fc
  .array(
    fc.oneof(
      printable,
      fc.constantFrom("\n", "\r\n", " \n", "\t\n", ".", "\n.\n", "=", "=3D", "--", "x".repeat(1200)),
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join("").replace(/\r(?!\n)/g, ""));
const attachment = fc.record({
  filename: headerText.filter((text) => text !== ""),
  contentType: fc.constantFrom("image/png", "application/pdf", "text/plain"),
  content: fc.uint8Array({ maxLength: 400 }),
});

const crlf = (text: string) => text.replace(/\r\n|\r|\n/g, "\r\n").replace(/(\r\n)+$/, "");
const sourceOf = (changes: Partial<MailMessage>) => composeMessage(sampleMessage(changes)).toString("latin1");
const headerOf = (changes: Partial<MailMessage>) => sourceOf(changes).split("\r\n\r\n", 1)[0] ?? "";

function assertWire(source: Buffer) {
  const text = source.toString("latin1");
  expect(text).toMatch(/^[\t\r\n -~]*$/);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(Math.max(...text.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
}

describe("composeMessage", () => {
  test("writes a plain message as one would by hand", () => {
    expect(sourceOf({ headers: [{ name: "X-Tag", value: "a b" }] })).toBe(
      [
        "From: Ann <ann@example.org>",
        "To: bob@example.net",
        "Subject: Hello",
        "Date: Sat, 21 Nov 2026 06:00:00 +0000",
        "Message-ID: <0199d3c1-7a5e-7000-8000-000000000001@example.org>",
        "MIME-Version: 1.0",
        "X-Tag: a b",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 7bit",
        "",
        "Good day",
        "",
      ].join("\r\n"),
    );
  });

  test("comes back from a parser as it went in, whatever the texts", async () => {
    const message = fc.record({
      from: mailbox,
      to: fc.array(mailbox, { minLength: 1, maxLength: 4 }),
      cc: fc.array(mailbox, { maxLength: 2 }),
      replyTo: fc.array(mailbox, { maxLength: 1 }),
      subject: headerText,
      text: bodyText,
      html: bodyText,
      attachments: fc.array(attachment, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(message, async (changes) => {
        const source = composeMessage(sampleMessage(changes));
        assertWire(source);
        const mail = await PostalMime.parse(source);
        expect(mail.subject ?? "").toBe(changes.subject);
        expect(mail.from).toEqual(changes.from);
        expect(mail.to).toEqual(changes.to);
        expect(mail.cc ?? []).toEqual(changes.cc);
        expect(mail.replyTo ?? []).toEqual(changes.replyTo);
        if (changes.text !== "") expect(crlf(mail.text ?? "")).toBe(crlf(changes.text));
        if (changes.html !== "") expect(crlf(mail.html ?? "")).toBe(crlf(changes.html));
        expect(
          mail.attachments.map(({ filename, content }) => ({
            filename,
            content: new Uint8Array(content as ArrayBuffer),
          })),
        ).toEqual(
          changes.attachments.map(({ filename, content }) => ({
            filename,
            content: new Uint8Array(content),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("keeps header lines within 76 columns and encoded-words within 75", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }), (text) => {
        const subject = text.replace(/[\r\n\0]/g, " ") + "é";
        const header = headerOf({ subject, from: { name: subject, address: "a@b.example" } });
        for (const line of header.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
        for (const encoded of header.match(/=\?UTF-8\?.\?[^?]*\?=/g) ?? []) {
          expect(encoded.length).toBeLessThanOrEqual(75);
          const [, , encoding, payload = ""] = encoded.split("?");
          const bytes =
            encoding === "B"
              ? Buffer.from(payload, "base64")
              : Buffer.from(
                  payload
                    .replaceAll("_", " ")
                    .replace(/=(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
                  "latin1",
                );
          // Throws for half a character.
          new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        }
      }),
    );
  });

  test("folds a long plain subject at its spaces", () => {
    const subject = "word ".repeat(40).trim();
    const header = headerOf({ subject });
    expect(header).not.toContain("=?");
    expect(header.replaceAll("\r\n ", " ")).toContain(`Subject: ${subject}`);
  });

  test("encodes a subject that looks encoded already", async () => {
    const subject = "=?UTF-8?Q?no?=";
    expect((await PostalMime.parse(sourceOf({ subject }))).subject).toBe(subject);
  });

  test("never writes a Bcc, and gives the same bytes each time", () => {
    const changes = {
      text: "é",
      html: "<p>é</p>",
      envelope: { from: "a@b.example", to: ["secret@example.com"] },
    };
    expect(sourceOf(changes)).toBe(sourceOf(changes));
    expect(sourceOf(changes)).not.toMatch(/bcc|secret/i);
  });

  test("finds a boundary that the content does not hold", async () => {
    const first = /boundary="([^"]+)"/.exec(sourceOf({ html: "<p>x</p>" }))?.[1] ?? "";
    const text = `--${first}\n--${first}--\n--${first}_1\nend`;
    const mail = await PostalMime.parse(sourceOf({ html: "<p>x</p>", text }));
    expect(crlf(mail.text ?? "")).toBe(crlf(text));
    expect(mail.html?.trim()).toBe("<p>x</p>");
  });

  test("puts inline files beside the HTML and the others after it", async () => {
    const png = {
      filename: "a.png",
      contentType: "image/png",
      content: new Uint8Array([1, 2]),
      contentId: "logo",
    };
    const pdf = { filename: "b.pdf", contentType: "application/pdf", content: new Uint8Array([3]) };
    const source = sourceOf({ html: '<img src="cid:logo">', attachments: [pdf, png] });
    expect([...source.matchAll(/Content-Type: ([a-z]+\/[a-z]+)/g)].map(([, type]) => type)).toEqual([
      "multipart/mixed",
      "multipart/alternative",
      "text/plain",
      "multipart/related",
      "text/html",
      "image/png",
      "application/pdf",
    ]);
    const mail = await PostalMime.parse(source);
    expect(mail.attachments.map(({ contentId, disposition }) => [contentId, disposition])).toEqual([
      ["<logo>", "inline"],
      [undefined, "attachment"],
    ]);
  });

  test.each([
    ["\u00e9".repeat(500), "base64"],
    ["one caf\u00e9 au lait ".repeat(200), "quoted-printable"],
    ["x".repeat(998), "7bit"],
    ["x".repeat(999), "quoted-printable"],
    ["plain but for a\0b", "quoted-printable"],
  ])("chooses the transfer encoding by the text (%#)", (text, encoding) => {
    expect(headerOf({ text })).toContain(`Content-Transfer-Encoding: ${encoding}`);
  });

  test.each(["a\rb", "a\nBcc: v@evil.example", "a\0b"])("refuses a header field holding %j", (bad) => {
    const file = { filename: "x", contentType: "text/plain", content: new Uint8Array() };
    const cases: Partial<MailMessage>[] = [
      { subject: bad },
      { from: { name: bad, address: "a@b.example" } },
      { from: { name: "", address: `a@b.example${bad}` } },
      { to: [{ name: bad, address: "a@b.example" }] },
      { cc: [{ name: "", address: bad }] },
      { replyTo: [{ name: bad, address: "a@b.example" }] },
      { messageId: `<${bad}@x>` },
      { headers: [{ name: "X-A", value: bad }] },
      { headers: [{ name: `X-A${bad}`, value: "" }] },
      { attachments: [{ ...file, filename: bad }] },
      { attachments: [{ ...file, contentType: bad }] },
      { html: "<p>", attachments: [{ ...file, contentId: bad }] },
    ];
    for (const changes of cases) expect(() => sourceOf(changes)).toThrow(TypeError);
  });

  test.each(["Bcc", "content-type", "From", "DKIM-Signature"])("refuses a second %s field", (name) => {
    expect(() => sourceOf({ headers: [{ name, value: "x" }] })).toThrow(TypeError);
  });
});
