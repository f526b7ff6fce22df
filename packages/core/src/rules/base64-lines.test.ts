import fc from "fast-check";
import { expect, test } from "vitest";
import {
  base64Length,
  base64Lines,
  decodeBase64,
  decodedLength,
  inPieces,
  pieceBytes,
} from "./base64-lines.ts";

const bytes = fc.uint8Array({ maxLength: 600, size: "max" });

test("lines have 76 characters except the last, end in CRLF, and have the predicted length", () => {
  fc.assert(
    fc.property(bytes, (content) => {
      const text = base64Lines(content);
      const lines = text.split("\r\n");
      expect(lines.pop()).toBe("");
      for (const line of lines.slice(0, -1)) expect(line).toHaveLength(76);
      expect(lines.every(({ length }) => length > 0 && length <= 76)).toBe(true);
      expect(text).toHaveLength(base64Length(content.length));
      expect(decodeBase64(text)?.equals(content)).toBe(true);
      expect(decodedLength(text)).toBe(content.length);
    }),
  );
  expect(base64Lines(Buffer.alloc(pieceBytes)).length).toBeLessThanOrEqual(256 * 1024);
});

test("base64 is accepted with white space, and refused if readers might decode it differently", () => {
  expect(decodeBase64(" YW\r\nJj\t")?.toString()).toBe("abc");
  expect(decodeBase64("")).toHaveLength(0);
  for (const text of [
    "YWJ",
    "YWI",
    "YR==",
    "_-__",
    "YWJj=",
    "YQ==YQ==",
    "YWJj\u00a0",
    "data:,YWJj",
    "Y\u0157Jj YWJj",
    "YW\0Jj YWJj",
  ])
    expect(decodeBase64(text), text).toBeUndefined();
});

test("a stream is split into whole pieces, however it arrives and even if its buffers are reused", async () => {
  const content = Buffer.from(Array.from({ length: 2 * pieceBytes + 5 }, (_, index) => index % 251));
  async function* reusing(size: number): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.alloc(size);
    for (let start = 0; start < content.length; start += size) {
      const length = content.copy(buffer, 0, start, start + size);
      yield buffer.subarray(0, length);
      buffer.fill(0);
    }
  }
  for (const size of [777, pieceBytes, content.length]) {
    const pieces: Buffer[] = [];
    for await (const piece of inPieces(reusing(size))) pieces.push(Buffer.from(piece));
    expect(pieces.map(({ length }) => length)).toEqual([pieceBytes, pieceBytes, 5]);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  }
});
