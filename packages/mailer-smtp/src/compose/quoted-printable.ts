/** Characters of a line before its soft break (RFC 2045 section 6.7, rule 5: 76 with the "="). */
export const longestQuotedLine = 75;

const hexadecimal = "0123456789ABCDEF";
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const equals = 61;
const dot = 46;
const capitalF = 70;

/** Whether quoted-printable is shorter than base64 for these bytes. */
export function isQuotedShorter(bytes: Uint8Array): boolean {
  const quotedLength = (bytes.length + 2 * countEscaped(bytes)) * (1 + 3 / longestQuotedLine);
  return (bytes.length * 4 * 78) / (3 * 76) >= quotedLength;
}

/**
 * Encodes bytes as quoted-printable (RFC 2045 section 6.7); CR and LF must come only as CRLF. A blank at the end is
 * escaped, so that anything may follow. A dot at the start of a line is escaped too, because SMTP would double it (RFC
 * 5321 section 4.5.2), and so is `From `, before which mailboxes write ">". `column` is where the first line begins, at most 75.
 */
export function quotedPrintable(bytes: Uint8Array, column = 0): string {
  // Worst case: each character takes three bytes, each line ends in an escaped blank, and each line of 73 needs a soft
  // break of three.
  const out = Buffer.allocUnsafe((bytes.length + 2 * countEscaped(bytes)) * 3 + 16);
  let length = 0;
  let at = column;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === carriageReturn) {
      out[length++] = carriageReturn;
      out[length++] = lineFeed;
      index += 1;
      at = 0;
      continue;
    }
    const endsLine = index + 1 === bytes.length || bytes[index + 1] === carriageReturn;
    let escapes = mustEscape(byte) || (endsLine && (byte === space || byte === tab));
    if (at + (escapes ? 3 : 1) > longestQuotedLine) {
      out[length++] = equals;
      out[length++] = carriageReturn;
      out[length++] = lineFeed;
      at = 0;
    }
    escapes ||= at === 0 && (byte === dot || (byte === capitalF && isFrom(bytes, index)));
    if (escapes) {
      out[length++] = equals;
      out[length++] = hexadecimal.charCodeAt(byte >> 4);
      out[length++] = hexadecimal.charCodeAt(byte & 15);
    } else {
      out[length++] = byte;
    }
    at += escapes ? 3 : 1;
  }
  return out.toString("latin1", 0, length);
}

/** Whether `From` is here and a blank follows, or nothing, behind which one may. */
const isFrom = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + 1] === 114 &&
  bytes[at + 2] === 111 &&
  bytes[at + 3] === 109 &&
  (at + 4 === bytes.length || bytes[at + 4] === space);

function countEscaped(bytes: Uint8Array): number {
  let escaped = 0;
  for (const byte of bytes) if (mustEscape(byte)) escaped += 1;
  return escaped;
}

function mustEscape(byte: number): boolean {
  if (byte === lineFeed || byte === carriageReturn || byte === tab) return false;
  return byte < space || byte > 126 || byte === equals;
}
