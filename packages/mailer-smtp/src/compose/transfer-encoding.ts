import { isQuotedShorter, quotedPrintable } from "./quoted-printable.ts";

/** A body as it is transmitted: ASCII in CRLF lines, and the name of the encoding (RFC 2045 section 6). */
export interface EncodedBody {
  encoding: "7bit" | "quoted-printable" | "base64";
  /** In order; ASCII throughout. */
  content: readonly (string | Buffer)[];
}

/** Longest line without its CRLF (RFC 5322 section 2.1.1). */
export const longestLine = 998;

/**
 * How a line begins before which mailboxes in mbox format, on the way or at the recipient, write ">": the text changes,
 * and its signature fails.
 */
export const mboxLine = "From ";

/**
 * Encodes a text: unencoded if it is ASCII in lines of at most 998, none of which begins with `From `, else as the shorter
 * of quoted-printable and base64.
 */
export function encodeText(text: string): EncodedBody {
  const lines = withCrlf(text);
  if (isPlainAscii(lines) && !hasLongLine(lines) && !hasMboxLine(lines))
    return { encoding: "7bit", content: [lines] };
  const bytes = Buffer.from(lines);
  if (!isQuotedShorter(bytes)) return encodeBytes(bytes);
  return { encoding: "quoted-printable", content: [quotedPrintable(bytes)] };
}

/** Encodes bytes as base64 in lines of 76 (RFC 2045 section 6.8). */
function encodeBytes(bytes: Uint8Array): EncodedBody {
  const text = bufferOf(bytes).toString("base64");
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += 76) lines.push(text.slice(start, start + 76));
  return { encoding: "base64", content: [lines.join("\r\n")] };
}

/**
 * An attached message, which may have no encoding (RFC 2046 section 5.2.1): in 7bit with CRLF line ends, or `undefined`
 * if it is not ASCII in lines of at most 998.
 */
export function encodeComposite(bytes: Uint8Array): EncodedBody | undefined {
  const lines = withCrlf(bufferOf(bytes).toString("latin1"));
  return isPlainAscii(lines) && !hasLongLine(lines) ? { encoding: "7bit", content: [lines] } : undefined;
}

/** The text with each kind of line break as CRLF. */
export function withCrlf(text: string): string {
  if (!text.includes("\r")) return text.replaceAll("\n", "\r\n");
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}

/** Whether the text is only printable ASCII, blanks, tabs and line breaks. */
export function isPlainAscii(text: string): boolean {
  return !/[^\t\r\n -~]/.test(text);
}

const hasMboxLine = (lines: string): boolean => lines.startsWith(mboxLine) || lines.includes(`\n${mboxLine}`);

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
