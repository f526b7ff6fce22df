/** The fault of a number that JSON can hold and a double can't. */
export const inexact = "is beyond ±9007199254740991 and would be changed: write it as a string";

/** Matches where there may be such a number: 16 digits, or an exponent, at the beginning of a value. Rare in strings. */
const suspicious = /[:,[\s]-?(?:\d{16}|[\d.]+e\+?\d)/i;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.e+-]*/gi;

/**
 * Finds the first number of well-formed JSON that is parsed as another, because it is beyond 2^53 - 1 (RFC 8259,
 * section 6), such as the ids of many services; the index of its first character. Digits after the decimal point may be
 * lost, as in any JSON parser.
 */
export const inexactNumberAt = (text: string): number | undefined => {
  if (!suspicious.test(text)) return undefined;
  for (const { 0: found, index } of text.matchAll(stringOrNumber))
    if (found[0] !== '"' && Math.abs(Number(found)) > Number.MAX_SAFE_INTEGER) return index;
  return undefined;
};

/** Returns what is wrong with well-formed JSON that has such a number, as words after its name; `undefined` if it has none. */
export const inexactFault = (text: string): string | undefined =>
  inexactNumberAt(text) === undefined ? undefined : `holds a number that ${inexact}`;
