import { isQuotedShorter, quotedPrintable } from "./quoted-printable.ts";

/** A body in the form it crosses the wire in: ASCII in CRLF lines, and the encoding's name (RFC 2045 section 6). */
export interface EncodedBody {
  encoding: "7bit" | "quoted-printable" | "base64";
  /** In order; all of it ASCII. */
  content: readonly (string | Buffer)[];
}

/** Longest line without its CRLF (RFC 5322 section 2.1.1). */
export const longestLine = 998;

/** Encodes a text: as it is where it is ASCII in lines of at most 998, else in the smaller of quoted-printable and base64. */
export function encodeText(text: string): EncodedBody {
  const lines = withCrlf(text);
  if (isPlainAscii(lines) && !hasLongLine(lines)) return { encoding: "7bit", content: [lines] };
  const bytes = Buffer.from(lines);
  if (!isQuotedShorter(bytes)) return encodeBytes(bytes);
  return { encoding: "quoted-printable", content: [quotedPrintable(bytes)] };
}

/** Encodes bytes as base64 in lines of 76 (RFC 2045 section 6.8). */
export function encodeBytes(bytes: Uint8Array): EncodedBody {
  const text = bufferOf(bytes).toString("base64");
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += 76) lines.push(text.slice(start, start + 76));
  return { encoding: "base64", content: [lines.join("\r\n")] };
}

/**
 * A message that is sent as a file, which may have no encoding (RFC 2046 section 5.2.1): in 7bit with CRLF at its line ends, or
 * `undefined` where it is not ASCII in lines of at most 998.
 */
export function encodeComposite(bytes: Uint8Array): EncodedBody | undefined {
  const lines = withCrlf(bufferOf(bytes).toString("latin1"));
  return isPlainAscii(lines) && !hasLongLine(lines) ? { encoding: "7bit", content: [lines] } : undefined;
}

/** The text with each line break, of whatever kind, as CRLF. */
export function withCrlf(text: string): string {
  if (!text.includes("\r")) return text.replaceAll("\n", "\r\n");
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}

/** Whether the text is of printable ASCII, blanks, tabs and line breaks alone. */
export function isPlainAscii(text: string): boolean {
  return !/[^\t\r\n -~]/.test(text);
}

function hasLongLine(lines: string): boolean {
  let start = 0;
  while (lines.length - start > longestLine) {
    const end = lines.indexOf("\r\n", start);
    if (end === -1 || end - start > longestLine) return true;
    start = end + 2;
  }
  return false;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
