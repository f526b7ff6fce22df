const quoteCode = 0x22;
const backslashCode = 0x5c;
const colonCode = 0x3a;
/** Characters of a string that are looked at one by one: calling `indexOf` costs as much as some fifty of them. */
const nearby = 64;

/** Returns the index of the quote that ends a string of JSON; `start` is the index behind the quote that begins it. */
export function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const far = Math.min(at + nearby, length);
    for (; at < far; at++) {
      const byte = bytes[at];
      // As numbers, for the bundle makes constants variables, at which V8 looks again for each byte.
      if (byte === 0x22) return at;
      if (byte === 0x5c) at++;
    }
    const end = bytes.indexOf(quoteCode, at);
    if (end < 0) break;
    let first = end;
    while (first > at && bytes[first - 1] === backslashCode) first -= 1;
    if ((end - first) % 2 === 0) return end;
    // Many quotes may follow, each of them escaped.
    at = end + 1;
  }
  return length;
}

/** Returns the index of the next such byte, or the length. */
export function nextOf(bytes: Uint8Array, code: number, from: number): number {
  const at = bytes.indexOf(code, from);
  return at < 0 ? bytes.length : at;
}

/** Whether the string of JSON whose last quote is at an index is a key. */
export function isKeyUntil(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return bytes[at] === colonCode;
}
