import { type MailAttachment, type MailMessage, readAttachment } from "@posthorn/core";
import { createAttachment } from "@posthorn/core/internal";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import PostalMime, { decodeWords } from "postal-mime";
import { describe, expect, test } from "vitest";
import { attachment, bodyText, headerText, mailbox, printable } from "../../test/arbitrary-message.ts";
import { crlf, sourceOf, withFiles } from "../../test/composed.ts";
import { sampleMessage } from "../../test/sample-message.ts";
import { composeMessage } from "./compose-message.ts";

describe("composeMessage", () => {
  const headerOf = (changes: Partial<MailMessage>) => sourceOf(changes).split("\r\n\r\n", 1)[0] ?? "";

  function assertWire(source: Buffer) {
    const text = source.toString("latin1");
    expect(text).toMatch(/^[\t\r\n -~]*$/);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(Math.max(...text.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
  }

  const contentsOf = (attachments: readonly MailAttachment[]) =>
    Promise.all(attachments.map(async (file) => [file.filename, [...(await readAttachment(file))]]));

  /** Checks with a second, independent parser, which strips blanks around a body. */
  async function assertMailparserAgrees(
    source: Buffer,
    changes: Pick<MailMessage, "subject" | "from" | "to" | "attachments">,
  ) {
    const mail = await simpleParser(source, {
      skipTextToHtml: true,
      skipHtmlToText: true,
      skipImageLinks: true,
    });
    expect(mail.subject ?? "").toBe(changes.subject);
    expect(mail.from?.value).toEqual([changes.from]);
    const to = [mail.to ?? []].flat().flatMap(({ value }) => value);
    expect(to).toEqual(changes.to);
    expect(mail.attachments.map(({ filename, content }) => [filename, [...content]])).toEqual(
      await contentsOf(changes.attachments),
    );
  }

  test("composes a plain message like one written by hand", () => {
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

  test("each message has the date of its own second, whatever the one before had", () => {
    const at = Date.UTC(2026, 10, 21, 6);
    const dates = [at, at + 999, at + 1000, at, -1].map((date) =>
      /^Date: (.*)$/m.exec(headerOf({ date }))?.[1]?.trimEnd(),
    );
    const six = "Sat, 21 Nov 2026 06:00:00 +0000";
    expect(dates).toEqual([six, six, six.replace(":00 ", ":01 "), six, "Wed, 31 Dec 1969 23:59:59 +0000"]);
  });

  test("is parsed back to the original, whatever the texts", async () => {
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
        const source = await composeMessage(sampleMessage(changes));
        assertWire(source);
        await assertMailparserAgrees(source, changes);
        const mail = await PostalMime.parse(source);
        expect(mail.subject ?? "").toBe(changes.subject);
        expect(mail.from).toEqual(changes.from);
        expect(mail.to).toEqual(changes.to);
        expect(mail.cc ?? []).toEqual(changes.cc);
        expect(mail.replyTo ?? []).toEqual(changes.replyTo);
        if (changes.text !== "") expect(crlf(mail.text ?? "")).toBe(crlf(changes.text));
        if (changes.html !== "") expect(crlf(mail.html ?? "")).toBe(crlf(changes.html));
        expect(
          mail.attachments.map(({ filename, content }) => [
            filename,
            [...new Uint8Array(content as ArrayBuffer)],
          ]),
        ).toEqual(await contentsOf(changes.attachments));
      }),
      { numRuns: 80 },
    );
  });

  test("keeps header lines within 76 columns and encoded-words within 75", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300, size: "max" }), (text) => {
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
          // Throws for half a surrogate pair.
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

  test("keeps the blanks before a word that is encoded", () => {
    const value = "one   \u00fc  two \u00e9";
    const headers = [{ name: "X-Note", value }];
    expect(decodeWords(headerOf({ headers }))).toContain(`\r\nX-Note: ${value}\r\n`);
  });

  test("encodes a subject that looks like an encoded-word", async () => {
    const subject = "=?UTF-8?Q?no?=";
    expect((await PostalMime.parse(sourceOf({ subject }))).subject).toBe(subject);
  });

  test("never writes a Bcc header, and gives the same bytes each time", () => {
    const changes = {
      text: "é",
      html: "<p>é</p>",
      envelope: { from: "a@b.example", to: ["secret@example.com"] },
    };
    expect(sourceOf(changes)).toBe(sourceOf(changes));
    expect(sourceOf(changes)).not.toMatch(/bcc|secret/i);
  });

  test.each([
    ["List-Unsubscribe", "<https://example.org/u?a=1>,\t<mailto:u@example.org?subject=stop>  ,<x:y>"],
    ["List-Unsubscribe", `<https://example.org/${"u".repeat(940)}>`],
    ["References", `${"<0199d3c1@example.org>  ".repeat(300).trim()}`],
    ["List-Id", "Bücher & mehr <buch.example.org>"],
    ["List-Help", "<https://example.org/hilfe/für-alle>"],
    ["In-Reply-To", "<=?UTF-8?Q?a?=@example.org>"],
    ["X-Json", '{"a": "b",  "c":\t"d"}'],
  ])("leaves identifiers, URIs and machine-readable words in %s unchanged (%#)", (name, value) => {
    const field = headerOf({ headers: [{ name, value }] })
      .replaceAll(/\r\n(?=[ \t])/g, "")
      .split("\r\n")
      .find((line) => line.startsWith(`${name}: `));
    for (const identifier of value.match(/<[^>]*>/g) ?? [value])
      expect(field).toContain(identifier.replace("ü", "%C3%BC"));
    expect(field).not.toMatch(name === "List-Id" ? /[^\x20-\x7e]/ : /=\?UTF-8\?[^Q]|[^\x20-\x7e\t]/);
  });

  test("writes every field that the API allows, whatever needs encoding in it", () => {
    const name = fc.constantFrom("List-Unsubscribe", "References", "X-Note", `X-${"Long".repeat(18)}`);
    const words = fc.array(
      fc.oneof(
        printable,
        fc.constantFrom(
          "<",
          ">",
          "://",
          "é".repeat(400),
          `<${"ü".repeat(450)}>`,
          "=?UTF-8?Q?a?=",
          " ",
          "\t",
          "u".repeat(910),
        ),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(name, words, (field, parts) => {
        const value = Buffer.from(parts.join("").replace(/[^\P{Cc}\t]|[\u2028\u2029]|\p{Cs}/gu, "")).subarray(
          0,
          998 - 2 - field.length,
        );
        assertWire(Buffer.from(sourceOf({ headers: [{ name: field, value: value.toString() }] })));
      }),
      { numRuns: 200 },
    );
  });

  test("keeps every line of a field with a long name within 76 columns", () => {
    const name = `X-${"Long".repeat(18)}`;
    const header = headerOf({ headers: [{ name, value: "é".repeat(60) }], subject: "x" });
    for (const line of header.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
  });

  test.each([
    ["message/rfc822", "From: a@b.example\n\nhi\n", "message/rfc822", "7bit"],
    ["message/rfc822", "From: a@b.example\n\nhé\n", "application/octet-stream", "base64"],
    ["multipart/mixed", "x", "application/octet-stream", "base64"],
    ["text/plain; charset=utf-8", "é", "text/plain", "base64"],
  ])("sends a file of %s with %j as %s in %s", async (contentType, content, type, encoding) => {
    const source = await withFiles({
      attachments: [createAttachment({ filename: "a", contentType, content: Buffer.from(content) })],
    });
    expect(source).toMatch(new RegExp(`Content-Type: ${type}[^]*Content-Transfer-Encoding: ${encoding}\r\n`));
    const { attachments } = await simpleParser(source);
    expect(attachments[0]?.contentType).toBe(type);
    const expected = encoding === "7bit" ? content.replaceAll("\n", "\r\n") : content;
    expect(attachments[0]?.content.toString().trim()).toBe(expected.trim());
  });

  test.each([
    ["\u00e9".repeat(500), "base64"],
    ["one caf\u00e9 au lait ".repeat(200), "quoted-printable"],
    ["x".repeat(998), "7bit"],
    ["x".repeat(999), "quoted-printable"],
    ["plain but for a\0b", "quoted-printable"],
    ["Hello.\nFrom here on", "quoted-printable"],
    ["Hello.\nFrom: here, and From here", "7bit"],
  ])("chooses the transfer encoding by the text (%#)", (text, encoding) => {
    expect(headerOf({ text })).toContain(`Content-Transfer-Encoding: ${encoding}`);
  });

  test.each([
    "From here on",
    "From here on é",
    `é${"x".repeat(67)} From here`,
    "é\nFrom here\nFrom here",
    "From",
  ])("no line of the source begins as mailboxes in mbox format change it: %j", async (text) => {
    const source = sourceOf({ text });
    expect(source.split("\r\n\r\n")[1]).not.toMatch(/^From /m);
    expect((await simpleParser(source)).text?.trimEnd()).toBe(text);
  });

  test.each(["a\rb", "a\nBcc: v@evil.example", "a\0b"])("refuses a header field holding %j", (bad) => {
    const file = createAttachment({ filename: "x", contentType: "text/plain", content: new Uint8Array() });
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
