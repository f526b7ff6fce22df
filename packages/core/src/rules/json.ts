import { withoutEscapedKeys } from "./escaped-keys.ts";
import { inexact, inexactNumberAt } from "./inexact-numbers.ts";
import { isDigit, mark, marks, nextMark } from "./json-marks.ts";
import { jsonPathAt } from "./json-path.ts";
import { endOfString, nextOf } from "./json-strings.ts";
import { findUnstorable, mayBeUnstorable } from "./unstorable-strings.ts";

/**
 * Error for a body that is not acceptable JSON. The message is for the caller and quotes nothing of the body. With a
 * path, which consists of the body's keys, it is about that field, and its words follow the field's name.
 */
export class JsonError extends Error {
  override name = "JsonError";
  readonly path: string;
  constructor(message: string, path = "") {
    super(message);
    this.path = path;
  }
}

/** Error for JSON beyond a limit, which may be well-formed. */
export class JsonBeyondLimit extends JsonError {
  override name = "JsonBeyondLimit";
  /** What is wrong, to follow the name of the whole. */
  readonly words: string;
  constructor(words: string, path = "") {
    super(path === "" ? `The JSON ${words}.` : words, path);
    this.words = words;
  }
}

const quoteCode = 0x22;
const backslashCode = 0x5c;

/** Maximum levels of nesting of what is taken as JSON: what reads the values later goes one level deeper for each. */
export const maxJsonDepth = 32;

/** Limits on JSON. */
export interface JsonLimits {
  /** Maximum levels of nesting. Default 32. */
  maxDepth?: number;
  /** Maximum number of values of any kind, including those in lists and objects. Default 100,000. */
  maxValues?: number | undefined;
  /** Whether integers beyond 2^53 - 1 are accepted, as the nearest number that a double holds. Default true. */
  allowInexact?: boolean;
  /**
   * Whether strings that no storage can hold are accepted, keys `__proto__`, and bytes that are no UTF-8, each as U+FFFD.
   * Default false.
   */
  allowUnstorable?: boolean;
  /**
   * Called with a value that has a string which no storage can hold, to change such strings in place where they may
   * stand. Returns whether it changed any. Default: they may stand nowhere.
   */
  repair?: (value: unknown) => boolean;
}

/**
 * Parses JSON (RFC 8259) from UTF-8; a leading byte order mark is ignored. Throws {@link JsonError} for invalid UTF-8
 * or syntax, for JSON beyond the limits, which are checked before anything is created, for an object of more than 60,000 fields, for numbers that would be
 * changed unless they are allowed, for strings that no storage can hold (NUL and lone surrogates), and for a key
 * `__proto__`, which most libraries lose.
 */
export function parseJson(
  bytes: Uint8Array,
  {
    maxDepth = maxJsonDepth,
    maxValues = 100_000,
    allowInexact = true,
    allowUnstorable = false,
    repair,
  }: JsonLimits = {},
): unknown {
  const { mayBeInexact, hasEscapedKey } = examine(bytes, { maxDepth, maxValues });
  const text = allowUnstorable ? lenientDecoder.decode(bytes) : decode(bytes);
  if (text.trim() === "") throw new JsonError("The body is empty; JSON is expected.");
  const value = hasEscapedKey ? parseEscapedKeys(bytes, text) : parse(text);
  if (mayBeInexact && !allowInexact) {
    const at = inexactNumberAt(bytes);
    if (at !== undefined) throw faultOf(inexact, jsonPathAt(bytes, at));
  }
  if (allowUnstorable) return value;
  let unstorable = mayBeUnstorable.test(text) ? findUnstorable(bytes) : undefined;
  if (unstorable !== undefined && repair?.(value) === true)
    unstorable = findUnstorable(Buffer.from(JSON.stringify(value)));
  if (unstorable !== undefined) throw faultOf(unstorable.words, unstorable.path);
  return value;
}

/** Shared, as they keep no state between bodies, and creating one costs more than using it. */
const decoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder("utf-8");

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

/** Maximum number of different keys that need escapes: each costs some ten times as much as another key. */
const maxStandIns = 10_000;

function parseEscapedKeys(bytes: Uint8Array, text: string): unknown {
  // What is malformed is refused before keys are looked for.
  parse(text);
  const plain = withoutEscapedKeys(bytes);
  if (plain.standIns > maxStandIns)
    throw new JsonBeyondLimit(`has more than ${maxStandIns} different keys that need escapes`);
  return plain.restore(JSON.parse(plain.text));
}

/** Digits of the shortest integer that a double may not hold. */
const doubtfulDigits = 16;

/**
 * Counts brackets and commas outside strings, in one pass and without recursion; skips strings. Throws if there are too
 * many. Returns whether a number has so many digits, or an exponent, that a double may not hold it, and whether a key has
 * an escape.
 */
function examine(
  bytes: Uint8Array,
  { maxDepth, maxValues }: { maxDepth: number; maxValues: number },
): { mayBeInexact: boolean; hasEscapedKey: boolean } {
  const { length } = bytes;
  // Variables of its own: V8 looks at those of the bundle again at each byte.
  const table = marks;
  const { quote, colon, digit, open, close } = mark;
  let depth = 0;
  let values = 1;
  let mayBeInexact = false;
  let hasEscapedKey = false;
  let nextEscape = nextOf(bytes, backslashCode, 0);
  let isEscaped = false;
  // One loop, in which one look tells what a byte is: of a send, this takes nearly as long as `JSON.parse`.
  for (let at = 0; at < length; at++) {
    const kind = table[bytes[at] as number];
    if (kind === 0) continue;
    if (kind === quote) {
      if (nextEscape < at) nextEscape = nextOf(bytes, backslashCode, at);
      at = endOfString(bytes, at + 1);
      isEscaped = nextEscape < at;
    } else if (kind === colon) {
      if (isEscaped) hasEscapedKey = true;
    } else if (kind === digit) {
      const start = at;
      while (isDigit(bytes[at + 1])) at++;
      const next = bytes[at + 1];
      if (at - start >= doubtfulDigits - 1 || next === 0x65 || next === 0x45) mayBeInexact = true;
    } else if (kind === open) {
      depth += 1;
      values += 1;
      if (depth > maxDepth)
        throw new JsonBeyondLimit(`is nested more than ${maxDepth} levels deep`, jsonPathAt(bytes, at));
    } else if (kind === close) {
      depth -= 1;
    } else {
      values += 1;
    }
    if (values > maxValues) throw new JsonBeyondLimit(`holds more than ${maxValues} values`);
  }
  if (values > maxFields) assertFewFields(bytes);
  return { mayBeInexact, hasEscapedKey };
}

/** Maximum number of fields of one object: many take much longer to create than as many items of a list. */
const maxFields = 60_000;

function assertFewFields(bytes: Uint8Array): void {
  /** The number of fields of each object that is open; not finite for a list. */
  const open: number[] = [];
  for (let at = nextMark(bytes, 0); at < bytes.length; at = nextMark(bytes, at + 1)) {
    const byte = bytes[at] ?? 0;
    if (byte === quoteCode) at = endOfString(bytes, at + 1);
    else if (byte === 0x7b) open.push(1);
    else if (byte === 0x5b) open.push(Number.NEGATIVE_INFINITY);
    else if (byte === 0x5d || byte === 0x7d) open.pop();
    else if (byte === 0x2c && open.length > 0) {
      const fields = (open.pop() ?? 0) + 1;
      if (fields > maxFields)
        throw new JsonBeyondLimit("has too many fields", jsonPathAt(bytes, at, "container"));
      open.push(fields);
    }
  }
}

function faultOf(words: string, path: string): JsonError {
  return path === "" ? new JsonError(`The body ${words}.`) : new JsonError(words, path);
}
