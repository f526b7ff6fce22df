import type { TextParts } from "@posthorn/core";
import { createScratch, type Scratch } from "./create-scratch.ts";
import { isQuotedShorter, longestQuotedLine, quotedPrintable } from "./quoted-printable.ts";
import { type EncodedBody, isPlainAscii, longestLine, withCrlf } from "./transfer-encoding.ts";

/** Line lengths of a text. */
interface Measures {
  /** Length of the first line; `last` is that of the last line if there are several. */
  first: number;
  last: number;
  hasBreak: boolean;
  /** Length of the longest of all its lines. */
  longest: number;
}

/** A template literal in one encoding, ready to be copied into messages. */
interface ReadyLiteral extends Measures {
  content: string | Buffer;
}

interface PreparedLiterals {
  /** Set if the literal is ASCII. */
  plain: readonly ReadyLiteral[] | undefined;
  quoted: readonly ReadyLiteral[];
}

/** Shorter literals are written faster as text than copied as bytes. */
const shortLiteral = 32;

/**
 * Values beyond ASCII that are longer than this outweigh the literals: the shorter encoding must be chosen from the
 * whole text.
 */
const longestForeignValue = 1000;
const shortValue = 60;
const softBreak = "=\r\n";

const preparedLiterals = new WeakMap<readonly string[], PreparedLiterals | "unfit">();

/**
 * Encodes a rendered text from its parts: literals were encoded when they were first seen, only the values are encoded
 * now. Returns `undefined` if the text must be encoded as a whole, which gives an equivalent text. The body is in
 * `scratch` until that is cleared.
 */
export function encodeParts(text: TextParts, scratch: Scratch = createScratch()): EncodedBody | undefined {
  let prepared = preparedLiterals.get(text.literals);
  if (prepared === undefined) {
    prepared = prepareLiterals(text.literals);
    preparedLiterals.set(text.literals, prepared);
  }
  if (prepared === "unfit") return undefined;
  const start = scratch.at();
  if (prepared.plain !== undefined && writePlain(prepared.plain, text.parts, scratch))
    return { encoding: "7bit", content: [scratch.since(start)] };
  scratch.backTo(start);
  if (writeQuoted(prepared.quoted, text.parts, scratch))
    return { encoding: "quoted-printable", content: [scratch.since(start)] };
  scratch.backTo(start);
  return undefined;
}

function prepareLiterals(literals: readonly string[]): PreparedLiterals | "unfit" {
  // Half a line break or half a surrogate pair would join with the part that follows.
  if (literals.some((literal) => literal.endsWith("\r") || !literal.isWellFormed())) return "unfit";
  const lines = literals.map(withCrlf);
  const bytes = Buffer.from(lines.join(""));
  if (!isQuotedShorter(bytes)) return "unfit";
  return {
    plain: lines.every(isPlainAscii) ? lines.map(readyLiteral) : undefined,
    quoted: lines.map((line) => readyLiteral(quotedPrintable(Buffer.from(line)))),
  };
}

const readyLiteral = (text: string): ReadyLiteral => ({
  ...measure(text),
  content: text.length < shortLiteral ? text : Buffer.from(text, "latin1"),
});

function measure(text: string): Measures {
  const lines = text.split("\r\n").map(({ length }) => length);
  return {
    first: lines[0] ?? 0,
    last: lines.at(-1) ?? 0,
    hasBreak: lines.length > 1,
    longest: lines.reduce((most, length) => Math.max(most, length), 0),
  };
}

/** Writes the text unencoded; returns `false` if a value is not ASCII or a line becomes too long. */
function writePlain(literals: readonly ReadyLiteral[], parts: TextParts["parts"], scratch: Scratch): boolean {
  let column = 0;
  for (const part of parts) {
    if (typeof part === "number") {
      const literal = literals[part];
      if (literal === undefined) return false;
      if (column + literal.first > longestLine || literal.longest > longestLine) return false;
      put(literal, scratch);
      column = literal.hasBreak ? literal.last : column + literal.first;
    } else if (/^[\t -~]*$/.test(part)) {
      column += part.length;
      if (column > longestLine) return false;
      scratch.ascii(part);
    } else {
      if (!isPlainAscii(part) || part.endsWith("\r")) return false;
      const lines = withCrlf(part);
      const { first, last, hasBreak, longest } = measure(lines);
      if (column + first > longestLine || longest > longestLine) return false;
      scratch.ascii(lines);
      column = hasBreak ? last : column + first;
    }
  }
  return true;
}

/**
 * Writes the text in quoted-printable, with a soft break before each literal that does not fit its line; returns
 * `false` if a value can't be written.
 */
function writeQuoted(
  literals: readonly ReadyLiteral[],
  parts: TextParts["parts"],
  scratch: Scratch,
): boolean {
  let column = 0;
  for (const part of parts) {
    if (typeof part === "number") {
      const literal = literals[part];
      if (literal === undefined) return false;
      const hasRoom = column === 0 || column + literal.first <= longestQuotedLine;
      if (!hasRoom) scratch.ascii(softBreak);
      put(literal, scratch);
      column = literal.hasBreak || !hasRoom ? literal.last : column + literal.first;
    } else {
      const value = quotedValue(part, column);
      if (value === undefined) return false;
      scratch.ascii(value);
      const end = value.lastIndexOf("\n");
      column = end === -1 ? column + value.length : value.length - end - 1;
    }
  }
  return true;
}

function put({ content }: ReadyLiteral, scratch: Scratch): void {
  if (typeof content === "string") scratch.ascii(content);
  else scratch.bytes(content);
}

function quotedValue(value: string, column: number): string | undefined {
  const isSimple =
    column + value.length <= longestQuotedLine &&
    !(column === 0 && value.startsWith(".")) &&
    /^(?:[!-<>-~ \t]*[!-<>-~])?$/.test(value);
  if (isSimple) return value;
  const short = shortQuoted(value, column);
  if (short !== undefined) return short;
  if (value.endsWith("\r") || !value.isWellFormed()) return undefined;
  if (value.length > longestForeignValue && !isPlainAscii(value)) return undefined;
  return quotedPrintable(Buffer.from(withCrlf(value)), column);
}

/** A value that fits its line, such as a price or a name; all others are encoded byte by byte. */
function shortQuoted(value: string, column: number): string | undefined {
  if (value.length > shortValue || !value.isWellFormed() || /^\.|[\r\n]|[ \t]$/.test(value)) return undefined;
  const quoted = value.replace(/[^ -<>-~]+/g, escaped);
  return column + quoted.length <= longestQuotedLine ? quoted : undefined;
}

/** The bytes of a text, each escaped. */
function escaped(text: string): string {
  let quoted = "";
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Beyond two bytes, percent-encoding gives the same digits, only with another sign.
    if (code >= 0x800) return encodeURIComponent(text).replaceAll("%", "=");
    quoted +=
      code < 0x80 ? escapedByte(code) : escapedByte(0xc0 | (code >> 6)) + escapedByte(0x80 | (code & 63));
  }
  return quoted;
}

const escapedBytes = Array.from(
  { length: 256 },
  (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
);

const escapedByte = (byte: number): string => escapedBytes[byte] ?? "";
