import { describe, expect, test } from "vitest";
import { recipientLines } from "../mail/campaigns/recipients/recipient-lines.ts";
import { suppressionLines } from "../suppressions/import/suppression-lines.ts";
import type { LineForm, ListFormat } from "./line-form.ts";
import { readLines, readUntilFault } from "./read-lines.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  bytes: Uint8Array,
  size: number,
  format: ListFormat,
  form: LineForm<unknown> = recipientLines,
) {
  const found: unknown[] = [];
  for await (const { fields } of readLines(inPieces(bytes, size), format, form)) found.push(fields);
  return found;
}

/** Returns the lines read before the file can't be read any further, and why it can't. */
async function readToFault(bytes: Uint8Array, size: number, format: ListFormat) {
  const found: unknown[] = [];
  const file = readUntilFault(inPieces(bytes, size), format, recipientLines);
  for await (const { fields } of file.lines) found.push(fields);
  return { found, assertWhole: file.assertWhole };
}

const files: Record<ListFormat, string> = {
  csv: "email,name\na@b.example,Ada\ng@b.example,Grüße\nc@d.example,Zoë",
  ndjson: [
    '{"to":"a@b.example","template_data":{"name":"Ada"}}',
    "",
    '{"to":"g@b.example","template_data":{"name":"Grüße"}}',
    '{"to":"c@d.example","template_data":{"name":"Zoë"}}',
  ].join("\n"),
};

describe.each(["csv", "ndjson"] as const)("a list of recipients as %s", (format) => {
  test.each([1, 7, 1_000])("is read as UTF-8, in pieces of %i bytes", async (size) => {
    const found = await read(Buffer.from(files[format]), size, format);
    expect(found).toMatchObject(["Ada", "Grüße", "Zoë"].map((name) => ({ templateData: { name } })));
  });

  test.each([1, 7, 1_000])("is refused in Latin-1, in pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(files[format], "latin1");
    await expect(read(bytes, size, format)).rejects.toThrow(/from line 3 on: it is not UTF-8/);
    const last = Buffer.from(files[format].replace("Grüße", "Hi"), "latin1");
    const end = files[format].split("\n").length;
    const { found, assertWhole } = await readToFault(last, size, format);
    expect(assertWhole).toThrow(`from line ${end} on: it is not UTF-8`);
    expect(found).toMatchObject([{ templateData: { name: "Ada" } }, { templateData: { name: "Hi" } }]);
  });
});

test.each(["\n", "\r\n", "\r"].flatMap((ending) => [1, 2, 7, 1_000].map((size) => [ending, size] as const)))(
  "the last line before one that is not UTF-8 is read, with line ends of %j in pieces of %i bytes",
  async (ending, size) => {
    const lines = ["email,name", "a@b.example,Ada", "g@b.example,Grüße", "c@d.example,Zoë"];
    const { found, assertWhole } = await readToFault(Buffer.from(lines.join(ending), "latin1"), size, "csv");
    expect(assertWhole).toThrow("from line 3 on: it is not UTF-8");
    expect(found).toMatchObject([{ address: "a@b.example", templateData: { name: "Ada" } }]);
    const quoted = lines.map((line) => `"${line.replace(",", '","')}"`).join(ending);
    expect((await readToFault(Buffer.from(quoted, "latin1"), size, "csv")).found).toEqual(found);
  },
);

test("lines that end by CR alone are checked as they come", async () => {
  let sent = 0;
  async function* inLatin1(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`email,name\r${"a@b.example,Ada\r".repeat(40_000)}`);
    for (; sent < 100; sent += 1) yield Buffer.from("g@b.example,Gr\xfc\xdfe\r", "latin1");
  }
  const reading = async () => {
    for await (const _ of readLines(inLatin1(), "csv", recipientLines));
  };
  await expect(reading()).rejects.toThrow("from line 40002 on: it is not UTF-8");
  expect(sent).toBe(0);
});

test("a list may be UTF-16 with its mark, in either order of bytes", async () => {
  const suppression = "email,reason\na@b.example,Grüße\n";
  for (const order of ["little", "big"])
    for (const size of [1, 1_000]) {
      const inUtf16 = (text: string) => {
        const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
        return order === "big" ? bytes.swap16() : bytes;
      };
      for (const format of ["csv", "ndjson"] as const)
        expect(await read(inUtf16(files[format]), size, format)).toMatchObject([
          {},
          { templateData: { name: "Grüße" } },
          {},
        ]);
      expect(await read(inUtf16(suppression), size, "csv", suppressionLines)).toEqual([
        { email: "a@b.example", reason: "Grüße" },
      ]);
      const odd = Buffer.concat([inUtf16(suppression), Buffer.from("x")]);
      await expect(read(odd, size, "csv", suppressionLines)).rejects.toThrow("as which its byte order mark");
    }
});

test("a suppression is stored whatever the encoding of its reason", async () => {
  const bytes = Buffer.from("email,reason\na@b.example,Postfach gelöscht\n", "latin1");
  expect(await read(bytes, 1_000, "csv", suppressionLines)).toEqual([
    { email: "a@b.example", reason: "Postfach gel\ufffdscht" },
  ]);
});
