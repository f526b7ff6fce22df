import { expect, test } from "vitest";
import { suppressionLines } from "../suppressions/import/suppression-lines.ts";
import { openListFile } from "./list-file.ts";
import { readLines } from "./read-lines.ts";

const text = "email,reason\na@b.example,Größe 📪\n";

async function* inBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

async function reasonsIn(bytes: Uint8Array, contentType: string): Promise<unknown[]> {
  const reasons: unknown[] = [];
  for (const content of [bytes, inBytes(bytes)]) {
    const file = openListFile({ content, contentType });
    for await (const { fields } of readLines(file.bytes, file.format, suppressionLines))
      reasons.push(fields?.["reason"]);
  }
  return reasons;
}

const swapped = (bytes: Buffer): Buffer => bytes.swap16();

test.each([
  ["utf-16", Buffer.from(text, "utf16le"), "Größe 📪"],
  ["UTF-16", Buffer.from(`\ufeff${text}`, "utf16le"), "Größe 📪"],
  ["utf-16", swapped(Buffer.from(`\ufeff${text}`, "utf16le")), "Größe 📪"],
  ["utf-16be", swapped(Buffer.from(text, "utf16le")), "Größe 📪"],
  ['"iso-8859-1"', Buffer.from("email,reason\na@b.example,Größe\n", "latin1"), "Größe"],
  ["windows-1252", Buffer.from("email,reason\na@b.example,5 \x80\n", "latin1"), "5 €"],
  ["utf-8", Buffer.from(text), "Größe 📪"],
])("a file is read in the charset that its media type declares: %s", async (charset, bytes, reason) => {
  expect(await reasonsIn(bytes, `text/csv; charset=${charset}`)).toEqual([reason, reason]);
});

test("a file that is not in its charset is refused, and so is a charset that is not known", async () => {
  const odd = Buffer.concat([Buffer.from("email\na@b.example\n", "utf16le"), Buffer.from("x")]);
  await expect(reasonsIn(odd, "text/csv;charset=utf-16le")).rejects.toMatchObject({
    code: "validation_failed",
    details: [{ path: "content", message: "is not utf-16le, which its media type declares" }],
  });
  await expect(reasonsIn(odd, "text/csv;charset=klingon")).rejects.toMatchObject({
    code: "unsupported_media_type",
    message: "The charset klingon of the file is not known: save it as UTF-8.",
  });
});
