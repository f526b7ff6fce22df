import type { TextParts } from "@posthorn/core";
import { createScratch, type Scratch } from "./create-scratch.ts";
import { preparedLiterals, type ReadyLiteral } from "./prepare-literals.ts";
import { longestQuotedLine, quotedPrintable } from "./quoted-printable.ts";
import { type EncodedBody, isPlainAscii, longestLine, mboxLine, withCrlf } from "./transfer-encoding.ts";

/**
 * Values beyond ASCII that are longer than this outweigh the literals: the shorter encoding must be chosen from the
 * whole text.
 */
const longestForeignValue = 1000;
const softBreak = "=\r\n";
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const dot = 46;
const capitalF = 70;
const equals = 61;
const tilde = 126;
const hexadecimal = Buffer.from("0123456789ABCDEF");

/**
 * Encodes a rendered text from its parts: literals were encoded when they were first seen, only the values are encoded
 * now. Returns `undefined` if the text must be encoded as a whole, which gives an equivalent text. The body is in
 * `scratch` until that is cleared.
 */
export function encodeParts(
  { literals, parts }: TextParts,
  scratch: Scratch = createScratch(),
): EncodedBody | undefined {
  const prepared = preparedLiterals(literals);
  if (prepared === "unfit") return undefined;
  const start = scratch.at();
  const { plain } = prepared;
  if (plain !== undefined && isPlain(plain, parts)) {
    writePlain(plain, parts, scratch);
    return { encoding: "7bit", content: [scratch.since(start)] };
  }
  if (writeQuoted(prepared.quoted(), parts, scratch))
    return { encoding: "quoted-printable", content: [scratch.since(start)] };
  scratch.moveTo(start);
  return undefined;
}

/** Whether the text needs no encoding: it is ASCII, in lines that are not too long, and that mailboxes leave alone. */
function isPlain(literals: readonly ReadyLiteral[], parts: TextParts["parts"]): boolean {
  let column = 0;
  for (const part of parts) {
    if (typeof part === "number") {
      const literal = literals[part];
      if (literal === undefined) return false;
      if (column + literal.first > longestLine) return false;
      column = literal.hasBreak ? literal.last : column + literal.first;
    } else {
      column = plainColumn(part, column);
      if (column === -1) return false;
    }
  }
  return true;
}

/** The column after a value; -1 if it is not ASCII, makes a line too long, or begins one as mailboxes change it. */
function plainColumn(value: string, from: number): number {
  let column = from;
  const last = value.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const code = value.charCodeAt(index);
    if (code > tilde) return -1;
    if (column === 0 && code === capitalF && beginsFrom(value, index)) return -1;
    if (code >= space || code === tab) column += 1;
    // Half a line break would join with what follows.
    else if (code === lineFeed || (code === carriageReturn && index < last)) column = 0;
    else return -1;
    if (column > longestLine) return -1;
  }
  return column;
}

/** Whether `From` is here and a blank follows, or nothing, behind which one may. */
const beginsFrom = (value: string, at: number): boolean =>
  value.startsWith(mboxLine, at) || (value.endsWith("From") && at + 4 === value.length);

function writePlain(literals: readonly ReadyLiteral[], parts: TextParts["parts"], scratch: Scratch): void {
  for (const part of parts) {
    scratch.ascii(typeof part === "string" ? withCrlf(part) : (literals[part] as ReadyLiteral).text);
  }
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
      scratch.ascii(literal.text);
      column = literal.hasBreak || !hasRoom ? literal.last : column + literal.first;
    } else {
      const next = writeShort(part, column, scratch);
      column = next === -1 ? writeLong(part, column, scratch) : next;
      if (column === -1) return false;
    }
  }
  return true;
}

/**
 * Writes a value that fits a line, such as a price or a name, on the next line if it does not fit this one. Returns the
 * column after it; -1 without having written if it is longer, or holds a line break or a surrogate pair.
 */
function writeShort(value: string, column: number, scratch: Scratch): number {
  const { length } = value;
  if (length > longestQuotedLine) return -1;
  const start = scratch.at();
  // Each character takes at most three bytes, each escaped in three.
  const room = scratch.reserve(softBreak.length + 9 * length);
  const end = writeAsIs(value, room, start) ? start + length : writeMixed(value, room, start);
  const width = end - start;
  if (end === -1 || width > longestQuotedLine) return -1;
  const fits = column + width <= longestQuotedLine;
  if (!fits) {
    room.copyWithin(start + softBreak.length, start, end);
    room.write(softBreak, start, "latin1");
  }
  scratch.moveTo(fits ? end : end + softBreak.length);
  return fits ? column + width : width;
}

/** Writes a value of which nothing needs escaping, as of most; returns `false` at the first character that may. */
function writeAsIs(value: string, room: Buffer, start: number): boolean {
  const { length } = value;
  const first = value.charCodeAt(0);
  if (first === dot || first === capitalF || value.charCodeAt(length - 1) === space) return false;
  // A module's constants are variables in a bundle: the loop would read them again for each character.
  const lowest = space;
  const highest = tilde;
  const escapes = equals;
  for (let index = 0; index < length; index += 1) {
    const code = value.charCodeAt(index);
    if (code < lowest || code > highest || code === escapes) return false;
    room[start + index] = code;
  }
  return true;
}

/** Writes any value that fits a line, and returns the offset behind it; -1 if it holds a line break or a surrogate pair. */
function writeMixed(value: string, room: Buffer, start: number): number {
  const last = value.length - 1;
  let at = start;
  for (let index = 0; index <= last; index += 1) {
    const code = value.charCodeAt(index);
    const isBlank = code === space || code === tab;
    const isLiteral = isBlank ? index < last : code > space && code <= tilde && code !== equals;
    const isChanged = index === 0 && (code === dot || (code === capitalF && beginsFrom(value, 0)));
    if (isLiteral && !isChanged) {
      room[at] = code;
      at += 1;
    } else if (code < 0x80) {
      if (code === lineFeed || code === carriageReturn) return -1;
      at = writeEscaped(room, at, code);
    } else if (code < 0x800) {
      at = writeEscaped(room, at, 0xc0 | (code >> 6));
      at = writeEscaped(room, at, 0x80 | (code & 63));
    } else if (code < 0xd800 || code > 0xdfff) {
      at = writeEscaped(room, at, 0xe0 | (code >> 12));
      at = writeEscaped(room, at, 0x80 | ((code >> 6) & 63));
      at = writeEscaped(room, at, 0x80 | (code & 63));
    } else return -1;
  }
  return at;
}

function writeEscaped(room: Buffer, at: number, byte: number): number {
  room[at] = equals;
  room[at + 1] = hexadecimal[byte >> 4] ?? 0;
  room[at + 2] = hexadecimal[byte & 15] ?? 0;
  return at + 3;
}

/** Writes any other value, and returns the column after it; -1 if only the whole text tells how to write it. */
function writeLong(value: string, column: number, scratch: Scratch): number {
  if (value.endsWith("\r") || !value.isWellFormed()) return -1;
  if (value.length > longestForeignValue && !isPlainAscii(value)) return -1;
  const quoted = quotedPrintable(Buffer.from(withCrlf(value)), column);
  scratch.ascii(quoted);
  const end = quoted.lastIndexOf("\n");
  return end === -1 ? column + quoted.length : quoted.length - end - 1;
}
