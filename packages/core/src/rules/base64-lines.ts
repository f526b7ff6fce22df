/** Number of bytes in a line of 76 characters. */
const lineBytes = 57;
const lineLength = 76;

/** Decoded bytes of one stored piece of a file: as many whole lines as fit in 256 KiB of base64. */
export const pieceBytes = lineBytes * 3360;

/**
 * Encodes bytes as base64 in lines of 76 characters, each ended by CRLF (RFC 2045 section 6.8). No bytes give an empty
 * text.
 */
export function base64Lines(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += lineLength)
    lines.push(text.slice(start, start + lineLength));
  return lines.length === 0 ? "" : `${lines.join("\r\n")}\r\n`;
}

/** Returns the length of `count` bytes as base64 lines. */
export function base64Length(size: number): number {
  return 4 * Math.ceil(size / 3) + 2 * Math.ceil(size / lineBytes);
}

/** Divides a stream of bytes into pieces of `pieceBytes`; the last may be shorter. */
export async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    let rest = chunk;
    while (length + rest.length >= pieceBytes) {
      const room = pieceBytes - length;
      yield Buffer.concat([...kept, rest.subarray(0, room)]);
      rest = rest.subarray(room);
      kept = [];
      length = 0;
    }
    // Copy the chunk, as a stream may use its buffer again for the next one.
    if (rest.length > 0) kept.push(Uint8Array.from(rest));
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(kept);
}

/**
 * Decodes base64 by RFC 4648: the standard alphabet, padded, with white space allowed. `undefined` for any other text.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bare = /[\t\n\r ]/.test(text) ? withoutBlanks(text) : text;
  if (bare.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(bare, "base64");
  // Checked above, as Node ignores characters outside the alphabet, and accepts that of URLs.
  return bytes.toString("base64") === bare ? bytes : undefined;
}

/** Returns how many bytes `decodeBase64` makes of a text, without decoding it; of text that is no base64, about as many. */
export function decodedLength(text: string): number {
  let characters = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    characters += kept[code] ?? 1;
    if (code === equalsSign) padding++;
  }
  return Math.max(0, Math.floor((characters * 3) / 4) - padding);
}

const equalsSign = "=".charCodeAt(0);

/** 1 for each byte that is no blank. */
const kept = new Uint8Array(256).fill(1);
for (const blank of "\t\n\r ") kept[blank.charCodeAt(0)] = 0;

/** A line break behind every few characters makes a regular expression take a third of a second for a file of 10 MiB. */
function withoutBlanks(text: string): string {
  // In UTF-8 no other character has a byte of the alphabet.
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    bytes[length] = byte;
    length += kept[byte] ?? 0;
  }
  return bytes.toString("latin1", 0, length);
}
