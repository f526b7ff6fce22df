/** A body in the form it crosses the wire in: ASCII in CRLF lines, and the encoding's name (RFC 2045 section 6). */
export interface EncodedBody {
  encoding: "7bit" | "quoted-printable" | "base64";
  content: string;
}

const longestLine = 998;
const longestQuotedLine = 75;
const hexadecimal = "0123456789ABCDEF";
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const equals = 61;

/** Encodes a text: as it is where it is ASCII in lines of at most 998, else in the smaller of quoted-printable and base64. */
export function encodeText(text: string): EncodedBody {
  const lines = withCrlf(text);
  if (!/[^\t\r\n -~]/.test(lines) && !hasLongLine(lines)) return { encoding: "7bit", content: lines };
  const bytes = Buffer.from(lines);
  let escaped = 0;
  for (const byte of bytes) if (mustEscape(byte)) escaped += 1;
  const quotedLength = (bytes.length + 2 * escaped) * (1 + 3 / longestQuotedLine);
  if ((bytes.length * 4 * 78) / (3 * 76) < quotedLength) return encodeBytes(bytes);
  return { encoding: "quoted-printable", content: quotedPrintable(bytes, escaped) };
}

/** Encodes bytes as base64 in lines of 76 (RFC 2045 section 6.8). */
export function encodeBytes(bytes: Uint8Array): EncodedBody {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { encoding: "base64", content: buffer.toString("base64").replace(/.{76}(?=.)/g, "$&\r\n") };
}

function withCrlf(text: string): string {
  if (!text.includes("\r")) return text.replaceAll("\n", "\r\n");
  return text.replace(/\r\n|\r|\n/g, "\r\n");
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

function mustEscape(byte: number): boolean {
  if (byte === lineFeed || byte === carriageReturn || byte === tab) return false;
  return byte < space || byte > 126 || byte === equals;
}

/** RFC 2045 section 6.7. CR and LF come only as CRLF, as `withCrlf` leaves them. */
function quotedPrintable(bytes: Buffer, escaped: number): string {
  const most = bytes.length + 2 * escaped;
  // Each line may end in an escaped blank, and each 73 characters may need a soft break of three.
  const out = Buffer.allocUnsafe(most * 3 + 16);
  let length = 0;
  let column = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === carriageReturn) {
      out[length++] = carriageReturn;
      out[length++] = lineFeed;
      index += 1;
      column = 0;
      continue;
    }
    const endsLine = index + 1 === bytes.length || bytes[index + 1] === carriageReturn;
    const escapes = mustEscape(byte) || (endsLine && (byte === space || byte === tab));
    const width = escapes ? 3 : 1;
    if (column + width > longestQuotedLine) {
      out[length++] = equals;
      out[length++] = carriageReturn;
      out[length++] = lineFeed;
      column = 0;
    }
    if (escapes) {
      out[length++] = equals;
      out[length++] = hexadecimal.charCodeAt(byte >> 4);
      out[length++] = hexadecimal.charCodeAt(byte & 15);
    } else {
      out[length++] = byte;
    }
    column += width;
  }
  return out.toString("latin1", 0, length);
}
