import { createAttachment } from "@posthorn/core/internal";
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { crlf, sourceOf, withFiles } from "../../test/composed.ts";

describe("composeMessage", () => {
  test("chooses a boundary that the content does not contain", async () => {
    const first = /boundary="([^"]+)"/.exec(sourceOf({ html: "<p>x</p>" }))?.[1] ?? "";
    const text = `--${first}\n--${first}--\n--${first}_1\nend`;
    const mail = await PostalMime.parse(sourceOf({ html: "<p>x</p>", text }));
    expect(crlf(mail.text ?? "")).toBe(crlf(text));
    expect(mail.html?.trim()).toBe("<p>x</p>");
  });

  test("sends an inline file as an attachment if there is no html to show it", async () => {
    const png = createAttachment({
      filename: "a.png",
      contentType: "image/png",
      content: new Uint8Array([1]),
      contentId: "logo",
    });
    const source = await withFiles({ attachments: [png] });
    expect(source).toContain("Content-Type: multipart/mixed");
    expect(source).toContain("Content-Disposition: attachment;");
    expect((await PostalMime.parse(source)).attachments).toMatchObject([{ disposition: "attachment" }]);
  });

  test("puts an invitation beside the text, with its method, and Sender after From", async () => {
    const content = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Grüße\r\nEND:VCALENDAR\r\n";
    const source = sourceOf({
      html: "<p>x</p>",
      calendar: { method: "REQUEST", content },
      sender: { name: "Büro", address: "office@example.org" },
    });
    expect(source).toMatch(/\r\nSender: =\?UTF-8\?B\?QsO8cm8=\?= <office@example\.org>\r\n/);
    expect([...source.matchAll(/Content-Type: ([^\r]+)/g)].map(([, type]) => type)).toEqual([
      "multipart/alternative;",
      "text/plain; charset=utf-8",
      "text/html; charset=utf-8",
      "text/calendar; charset=utf-8; method=REQUEST",
    ]);
    const [part] = (await simpleParser(source)).attachments;
    expect(part?.content.toString()).toBe(content);
    expect(() => sourceOf({ calendar: { method: "request\r\nX: y", content } })).toThrow(/calendar\.method/);
  });

  test("puts inline files beside the HTML and the others after it", async () => {
    const png = createAttachment({
      filename: "a.png",
      contentType: "image/png",
      content: new Uint8Array([1, 2]),
      contentId: "logo",
    });
    const pdf = createAttachment({
      filename: "b.pdf",
      contentType: "application/pdf",
      content: new Uint8Array([3]),
    });
    const source = await withFiles({ html: '<img src="cid:logo">', attachments: [pdf, png] });
    expect([...source.matchAll(/Content-Type: ([a-z]+\/[a-z]+)/g)].map(([, type]) => type)).toEqual([
      "multipart/mixed",
      "multipart/related",
      "multipart/alternative",
      "text/plain",
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

  test.each(["text/plain", "Text/HTML"])(
    "keeps a %s that the HTML refers to a file of its own",
    async (contentType) => {
      const content = Buffer.from("<p>terms</p>");
      const file = createAttachment({ filename: "terms.txt", contentType, content, contentId: "terms" });
      const html = '<a href="cid:terms">Terms</a>';
      const source = await withFiles({ html, text: "plain", attachments: [file] });
      for (const mail of [
        await PostalMime.parse(source),
        await simpleParser(source, { keepCidLinks: true }),
      ]) {
        expect([mail.html, mail.text].map((text) => String(text).trimEnd())).toEqual([html, "plain"]);
        expect(mail.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
          ["terms.txt", "<terms>"],
        ]);
      }
    },
  );
});
