import { inexact, inexactNumberAt } from "./inexact-numbers.ts";

/** Error for a body that is not acceptable JSON. The message is for the caller and quotes nothing of the body. */
export class JsonError extends Error {
  override name = "JsonError";
}

const quoteCode = 0x22;
const backslashCode = 0x5c;

/** Limits on JSON. */
export interface JsonLimits {
  /** Maximum levels of nesting. Default 32. */
  maxDepth?: number;
  /** Maximum number of values of any kind, including those in lists and objects. Default 100,000. */
  maxValues?: number | undefined;
  /** Whether integers beyond 2^53 - 1 are accepted, as the nearest number that a double holds. Default true. */
  allowInexact?: boolean;
}

/**
 * Parses JSON (RFC 8259) from UTF-8; a leading byte order mark is ignored. Throws {@link JsonError} for invalid UTF-8
 * or syntax, for JSON beyond the limits, which are checked before anything is created, for numbers that would be
 * changed unless they are allowed, for strings that no storage can hold (NUL and lone surrogates), and for a key
 * `__proto__`, which most libraries lose.
 */
export function parseJson(
  bytes: Uint8Array,
  { maxDepth = 32, maxValues = 100_000, allowInexact = true }: JsonLimits = {},
): unknown {
  const mayBeInexact = examine(bytes, { maxDepth, maxValues });
  const text = decode(bytes);
  if (text.trim() === "") throw new JsonError("The body is empty; JSON is expected.");
  const value = parse(text);
  if (mayBeInexact && !allowInexact) {
    const at = inexactNumberAt(text);
    if (at !== undefined) throw new JsonError(`The number at character ${at} ${inexact}.`);
  }
  if (/__proto__|\\u(?:0000|005f|d[89a-f])/i.test(text)) refuseUnstorable(value);
  return value;
}

/** Shared, as it keeps no state between bodies, and creating one costs more than using it. */
const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError("The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    throw new JsonError(
      position ? `The JSON is malformed at character ${position}.` : "The JSON is malformed.",
    );
  }
}

/** Digits of the shortest integer that a double may not hold. */
const doubtfulDigits = 16;

/**
 * Counts brackets and commas outside strings, in one pass and without recursion; skips strings. Throws if there are too
 * many. Returns whether a number has so many digits, or an exponent, that a double may not hold it.
 */
function examine(
  bytes: Uint8Array,
  { maxDepth, maxValues }: { maxDepth: number; maxValues: number },
): boolean {
  let depth = 0;
  let values = 1;
  let digits = 0;
  let mayBeInexact = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      digits += 1;
      if (digits === doubtfulDigits) mayBeInexact = true;
      continue;
    }
    if (digits > 0) {
      if (byte === 0x65 || byte === 0x45) mayBeInexact = true;
      digits = 0;
    }
    if (byte === quoteCode) {
      at = endOfString(bytes, at + 1);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw new JsonError(`The JSON is nested more than ${maxDepth} levels deep.`);
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    } else if (byte === 0x2c) {
      values += 1;
    }
    if (values > maxValues) throw new JsonError(`The JSON holds more than ${maxValues} values.`);
  }
  return mayBeInexact;
}

/** Characters of a string that are looked at one by one: calling `indexOf` costs as much as some fifty of them. */
const nearby = 64;

function endOfString(bytes: Uint8Array, start: number): number {
  const far = Math.min(start + nearby, bytes.length);
  for (let at = start; at < far; at++) {
    if (bytes[at] === quoteCode) return at;
    if (bytes[at] === backslashCode) at++;
  }
  for (let end = bytes.indexOf(quoteCode, start); end >= 0; end = bytes.indexOf(quoteCode, end + 1)) {
    let first = end;
    while (first > start && bytes[first - 1] === backslashCode) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length;
}

function refuseUnstorable(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") {
      if (value.includes("\0")) throw new JsonError("The JSON contains a NUL character.");
      if (!value.isWellFormed()) throw new JsonError("The JSON contains half of a surrogate pair.");
    } else if (typeof value === "object" && value !== null) {
      if (Object.hasOwn(value, "__proto__")) throw new JsonError("The JSON contains the key __proto__.");
      for (const [key, entry] of Object.entries(value)) open.push(key, entry);
    }
  }
}
