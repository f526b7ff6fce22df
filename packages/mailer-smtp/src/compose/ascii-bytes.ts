import type { Allocate } from "./create-slab.ts";

/** Longer texts are better written by the runtime than character by character. */
const shortText = 24;

/**
 * Texts that are meant to be ASCII, and bytes that are, as one piece of bytes. Throws a TypeError for a text that is not: cut down to
 * its low bytes, as latin1 is written, U+560D U+560A would come out as a line break.
 */
export function asciiBytes(
  pieces: readonly (string | Buffer)[],
  allocate: Allocate = Buffer.allocUnsafe,
): Buffer {
  let size = 0;
  for (const { length } of pieces) size += length;
  const bytes = allocate(size);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece !== "string") bytes.set(piece, at);
    else if (piece.length <= shortText) writeShort(bytes, piece, at);
    else {
      // UTF-8 has a byte for each ASCII character, and more than one for each UTF-16 unit of any other.
      if (Buffer.byteLength(piece) !== piece.length) throw notAscii();
      bytes.write(piece, at, "latin1");
    }
    at += piece.length;
  }
  return bytes;
}

function writeShort(bytes: Buffer, text: string, at: number): void {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) throw notAscii();
    bytes[at + index] = code;
  }
}

const notAscii = (): TypeError => new TypeError("something that is not ASCII reached the message's source");
