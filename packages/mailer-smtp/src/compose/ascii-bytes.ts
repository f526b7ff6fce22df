import type { Allocate } from "./create-slab.ts";

/** The runtime writes longer texts faster than a loop over characters does. */
const shortText = 24;

/**
 * Joins ASCII texts and bytes into one buffer. Throws a TypeError for a text that is not ASCII: latin1 encoding would
 * keep only the low bytes, so that U+560D U+560A would become a line break.
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
      // Only ASCII text has as many UTF-8 bytes as UTF-16 units.
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
