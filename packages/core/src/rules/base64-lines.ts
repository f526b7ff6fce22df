/** Bytes that a line of 76 characters holds. */
const lineBytes = 57;
const lineLength = 76;

/** Decoded bytes of one kept piece of a file: as many whole lines as have room in 256 KiB of base64. */
export const pieceBytes = lineBytes * 3360;

/** Base64 in lines of 76 characters, each ended by CRLF (RFC 2045 section 6.8); empty for no bytes. */
export function base64Lines(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += lineLength)
    lines.push(text.slice(start, start + lineLength));
  return lines.length === 0 ? "" : `${lines.join("\r\n")}\r\n`;
}

/** How long the base64 lines of so many bytes are. */
export function base64Length(size: number): number {
  return 4 * Math.ceil(size / 3) + 2 * Math.ceil(size / lineBytes);
}

/** Cuts a stream of bytes anew, into pieces of `pieceBytes`; the last may be shorter. */
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
    // A stream may use its buffer again for the next chunk.
    if (rest.length > 0) kept.push(Uint8Array.from(rest));
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(kept);
}

/**
 * The bytes of base64 as RFC 4648 has it: its usual alphabet, padded, with nothing in it but white space besides; `undefined` for any
 * other text.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bare = /[\t\n\r ]/.test(text) ? text.replace(/[\t\n\r ]+/g, "") : text;
  if (bare.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(bare, "base64");
  // Node passes over whatever is not of the alphabet, and takes the one of URLs too.
  return bytes.toString("base64") === bare ? bytes : undefined;
}
