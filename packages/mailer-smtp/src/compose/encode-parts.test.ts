import type { TextParts } from "@posthorn/core";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { sampleMessage } from "../../test/sample-message.ts";
import { composeMessage } from "./compose-message.ts";
import { encodeParts } from "./encode-parts.ts";
import { type EncodedBody, withCrlf } from "./transfer-encoding.ts";

const fragment = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 90, size: "max" }) },
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 9 }) },
  {
    weight: 30,
    arbitrary: fc.constantFrom(
      "\n",
      "\r\n",
      " ",
      "\t",
      ".",
      "=",
      "=3D",
      " \n",
      "é",
      "From ",
      "x".repeat(400),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("\r", "\ud800") },
);
const piece = fc.array(fragment, { maxLength: 4 }).map((strings) => strings.join(""));

const textParts: fc.Arbitrary<TextParts> = fc.array(piece, { minLength: 1, maxLength: 5 }).chain((literals) =>
  fc.record({
    literals: fc.constant(literals),
    parts: fc.array(fc.oneof(fc.nat(literals.length - 1), piece), { maxLength: 8 }),
  }),
);

const joined = ({ literals, parts }: TextParts) =>
  parts.map((part) => (typeof part === "number" ? literals[part] : part)).join("");

const contentOf = ({ content }: EncodedBody) => content.map((piece) => piece.toString()).join("");

function decoded(body: EncodedBody): string {
  const content = contentOf(body);
  if (body.encoding === "7bit") return content;
  const bytes = content
    .replace(/=\r\n/g, "")
    .replace(/=(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

describe("encodeParts", () => {
  test("decodes to the whole text, in lines of permitted length", () => {
    let fit = 0;
    fc.assert(
      fc.property(textParts, (text) => {
        const first = encodeParts(text);
        expect(encodeParts(text)).toEqual(first);
        if (first === undefined) return;
        fit += 1;
        expect(decoded(first)).toBe(withCrlf(joined(text)));
        const isQuoted = first.encoding === "quoted-printable";
        const content = contentOf(first);
        for (const line of content.split("\r\n")) {
          expect(line.length).toBeLessThanOrEqual(isQuoted ? 76 : 998);
          expect(line).toMatch(/^[\t -~]*$/);
          // Mailboxes in mbox format would write ">" before it.
          expect(line).not.toMatch(/^From /);
          // A dot at the start of a line would have to be doubled, in a copy of the message for each mail.
          if (isQuoted) expect(line).not.toMatch(/^\.|[ \t]$/);
        }
        if (isQuoted) expect(content.endsWith("=\r\n")).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(fit).toBeGreaterThan(100);
  });

  test("is parsed back like the unsplit encoding", async () => {
    await fc.assert(
      fc.asyncProperty(textParts, textParts, async (html, text) => {
        const whole = { html: joined(html), text: joined(text) };
        const mails = await Promise.all(
          [sampleMessage({ ...whole, parts: { html, text } }), sampleMessage(whole)].map(async (message) =>
            PostalMime.parse(await composeMessage(message)),
          ),
        );
        const [fast, plain] = mails.map((mail) =>
          [mail.html, mail.text].map((body) => withCrlf(body ?? "").trimEnd()),
        );
        expect(fast).toEqual(plain);
      }),
      { numRuns: 100 },
    );
  });

  const literals = ["", "<p>Good day ", ", it is ready.</p>\n"];
  const filled = (value: string, own = literals) => encodeParts({ literals: own, parts: [1, value, 2] });

  test("leaves ASCII unencoded, and encodes a value beyond it", () => {
    const textOf = (body: EncodedBody | undefined) => body && { ...body, content: contentOf(body) };
    expect(textOf(filled("Ann"))).toEqual({
      encoding: "7bit",
      content: "<p>Good day Ann, it is ready.</p>\r\n",
    });
    expect(textOf(filled("Änn"))).toEqual({
      encoding: "quoted-printable",
      content: "<p>Good day=20=C3=84nn, it is ready.</p>\r\n",
    });
  });

  test.each([..."\0\x1f !<=>~\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff"])(
    "keeps %j in a short value",
    (character) => {
      for (const value of [character, `${character}a`, `a${character}a`, `a${character}`]) {
        const body = filled(`${value}€`);
        expect(body && decoded(body)).toBe(`<p>Good day ${value}€, it is ready.</p>\r\n`);
      }
    },
  );

  test("moves a value that does not fit its line to the next one", () => {
    const own = ["", `<p>${"x".repeat(60)}ü `, ".</p>"];
    const content = (value: string) => contentOf(filled(value, own) ?? { encoding: "7bit", content: [] });
    const begun = `<p>${"x".repeat(60)}=C3=BC=20`;
    expect(content("2 €")).toBe(`${begun}=\r\n2 =E2=82=AC=2E</p>`);
    expect(content(".5")).toBe(`${begun}=\r\n=2E5=2E</p>`);
    expect(content("\u{1f600}".repeat(9)).split("\r\n", 1)).toEqual([`${begun}=F0=`]);
  });

  test.each([
    ["a long value makes a line too long for 7bit", "x".repeat(990), literals, "quoted-printable"],
    ["a line within a value is too long for 7bit", `${"x".repeat(990)}\ny`, literals, "quoted-printable"],
    ["a line within a value is as long as 7bit permits", `${"x".repeat(986)}\ny`, literals, "7bit"],
    ["a line of a literal begins as mailboxes change it", "x", ["", "a\nFrom ", ":"], "quoted-printable"],
    ["a value begins a line so", "From me", ["", "a\n", "."], "quoted-printable"],
    ["a value and what follows begin a line so", "From", ["", "a\n", " me"], "quoted-printable"],
    ["a literal and what follows begin a line so", " me", ["", "From", ""], "quoted-printable"],
    ["such words are elsewhere", "From me", ["", "a ", "."], "7bit"],
    ["a long foreign value is weighed with the whole", "ж".repeat(1001), literals, undefined],
    ["foreign literals are weighed with the whole", "x", ["", "ж".repeat(50), "x"], undefined],
    ["half a line break in a value joins with what follows", "x\r", literals, undefined],
    ["half a line break in a literal joins with what follows", "x", ["", "a\r", "b"], undefined],
  ])("%s", (_, value, own, encoding) => {
    expect(filled(value, own)?.encoding).toBe(encoding);
  });
});
