/** What a byte of JSON outside a string is; 0 for any other, such as a blank. */
export const mark = { quote: 1, colon: 2, digit: 3, open: 4, close: 5, comma: 6 } as const;

/** The mark that each byte is. */
export const marks = new Uint8Array(256);
for (const [bytes, kind] of [
  ['"', mark.quote],
  [":", mark.colon],
  ["0123456789", mark.digit],
  ["[{", mark.open],
  ["]}", mark.close],
  [",", mark.comma],
] as const)
  for (const byte of Buffer.from(bytes)) marks[byte] = kind;

/**
 * Returns the index of the next bracket, comma, colon, quote or digit of JSON, or its length. A body may have millions of blanks before
 * it: a loop of its own, with one look at each byte, takes a third of the time.
 */
export function nextMark(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && marks[bytes[at] ?? 0] === 0) at++;
  return at;
}

/** Whether it is a digit. */
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;
