import { isDigit, nextMark } from "./json-marks.ts";
import { endOfString } from "./json-strings.ts";

/** The fault of a number that JSON can hold and a double can't. */
export const inexact = "is beyond ±9007199254740991 and would be changed: write it as a string";

/** Digits of an integer that no double holds. */
const mostDigits = 310;

/**
 * Finds the first number of well-formed JSON that is parsed as another, because it is beyond 2^53 - 1 (RFC 8259,
 * section 6), such as the ids of many services; the index of its first digit. Digits after the decimal point may be
 * lost, as in any JSON parser.
 */
export function inexactNumberAt(bytes: Uint8Array): number | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = nextMark(bytes, 0); at < bytes.length; at = nextMark(bytes, at + 1)) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x22) at = endOfString(bytes, at + 1);
    else if (isDigit(byte)) {
      const start = at;
      while (isDigit(bytes[at + 1])) at++;
      if (at - start >= mostDigits) return start;
      while (continuesNumber(bytes[at + 1])) at++;
      // Converting a number costs more than finding it, and shorter ones are exact without an exponent.
      if (at - start < 15 && !hasExponent(bytes, start, at)) continue;
      if (Number(text.toString("latin1", start, at + 1)) > Number.MAX_SAFE_INTEGER) return start;
    }
  }
  return undefined;
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at <= end; at++) if (bytes[at] === 0x65 || bytes[at] === 0x45) return true;
  return false;
}

/** Whether it is a digit, or one of `.`, `e`, `E`, `+`, `-`. */
const continuesNumber = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === 0x2d;

/** Returns what is wrong with well-formed JSON that has such a number, as words after its name; `undefined` if it has none. */
export const inexactFault = (text: string): string | undefined =>
  suspicious.test(text) && inexactNumberAt(Buffer.from(text)) !== undefined
    ? `holds a number that ${inexact}`
    : undefined;

/** Matches where there may be such a number: 16 digits, or an exponent, at the beginning of a value. Rare in strings. */
const suspicious = /[:,[\s]-?(?:\d{16}|[\d.]+e\+?\d)/i;
