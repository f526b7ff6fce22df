import type { TextParts } from "@posthorn/core";
import { isQuotedShorter, longestQuotedLine, quotedPrintable } from "./quoted-printable.ts";
import { type EncodedBody, isPlainAscii, longestLine, withCrlf } from "./transfer-encoding.ts";

/** Text in one encoding, and where its lines end. */
interface Piece {
  text: string;
  /** Length of its first line, and of its last where it has more than one. */
  first: number;
  last: number;
  hasBreak: boolean;
  /** Length of the longest of all its lines. */
  longest: number;
}

/** A literal in quoted-printable, ready to be copied into each message. */
interface QuotedLiteral extends Omit<Piece, "text"> {
  content: string | Buffer;
}

interface PreparedLiterals {
  /** Where all of them are ASCII. */
  plain: readonly Piece[] | undefined;
  quoted: readonly QuotedLiteral[];
}

/** Shorter texts are written faster than bytes are copied. */
const shortLiteral = 32;

/** Long values that are no ASCII weigh more than the literals: which encoding is shorter is seen from the whole. */
const longestForeignValue = 1000;
const shortValue = 60;
const softBreak = "=\r\n";

const preparedLiterals = new WeakMap<readonly string[], PreparedLiterals | "unfit">();

/**
 * Encodes a rendered text from its parts: its literals were encoded when they were first seen, only the values are encoded now.
 * `undefined` where the text must be looked at as a whole: it then goes the long way, to a text that reads the same.
 */
export function encodeParts(text: TextParts): EncodedBody | undefined {
  let prepared = preparedLiterals.get(text.literals);
  if (prepared === undefined) {
    prepared = prepareLiterals(text.literals);
    preparedLiterals.set(text.literals, prepared);
  }
  if (prepared === "unfit") return undefined;
  const plain = prepared.plain && joinPlain(prepared.plain, text.parts);
  if (plain !== undefined) return { encoding: "7bit", content: [plain] };
  const quoted = joinQuoted(prepared.quoted, text.parts);
  return quoted === undefined ? undefined : { encoding: "quoted-printable", content: quoted };
}

function prepareLiterals(literals: readonly string[]): PreparedLiterals | "unfit" {
  // Half a line break or half a character would join with what follows it.
  if (literals.some((literal) => literal.endsWith("\r") || !literal.isWellFormed())) return "unfit";
  const lines = literals.map(withCrlf);
  const bytes = Buffer.from(lines.join(""));
  if (!isQuotedShorter(bytes)) return "unfit";
  return {
    plain: lines.every(isPlainAscii) ? lines.map(pieceOf) : undefined,
    quoted: lines.map((line) => quotedLiteral(quotedPrintable(Buffer.from(line)))),
  };
}

function quotedLiteral(quoted: string): QuotedLiteral {
  const { text, ...measures } = pieceOf(quoted);
  return { ...measures, content: text.length < shortLiteral ? text : Buffer.from(text, "latin1") };
}

function pieceOf(text: string): Piece {
  const lines = text.split("\r\n").map(({ length }) => length);
  return {
    text,
    first: lines[0] ?? 0,
    last: lines.at(-1) ?? 0,
    hasBreak: lines.length > 1,
    longest: lines.reduce((most, length) => Math.max(most, length), 0),
  };
}

/** As it is; `undefined` where a value is no ASCII or a line becomes too long. */
function joinPlain(literals: readonly Piece[], parts: TextParts["parts"]): string | undefined {
  let content = "";
  let column = 0;
  for (const part of parts) {
    const piece = typeof part === "number" ? literals[part] : plainPiece(part);
    if (piece === undefined || column + piece.first > longestLine || piece.longest > longestLine)
      return undefined;
    content += piece.text;
    column = piece.hasBreak ? piece.last : column + piece.first;
  }
  return content;
}

function plainPiece(value: string): Piece | undefined {
  if (/^[\t -~]*$/.test(value)) {
    const { length } = value;
    return { text: value, first: length, last: length, hasBreak: false, longest: length };
  }
  return isPlainAscii(value) && !value.endsWith("\r") ? pieceOf(withCrlf(value)) : undefined;
}

/** In quoted-printable, with a soft break before each literal that has no room on its line. */
function joinQuoted(
  literals: readonly QuotedLiteral[],
  parts: TextParts["parts"],
): (string | Buffer)[] | undefined {
  const content: (string | Buffer)[] = [];
  /** What follows the last bytes, in one text. */
  let text = "";
  let column = 0;
  for (const part of parts) {
    if (typeof part === "number") {
      const literal = literals[part];
      if (literal === undefined) return undefined;
      const hasRoom = column === 0 || column + literal.first <= longestQuotedLine;
      if (!hasRoom) text += softBreak;
      if (typeof literal.content === "string") text += literal.content;
      else {
        if (text !== "") content.push(text);
        content.push(literal.content);
        text = "";
      }
      column = literal.hasBreak || !hasRoom ? literal.last : column + literal.first;
    } else {
      const value = quotedValue(part, column);
      if (value === undefined) return undefined;
      text += value;
      const end = value.lastIndexOf("\n");
      column = end === -1 ? column + value.length : value.length - end - 1;
    }
  }
  if (text !== "") content.push(text);
  return content;
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

/** A value that stays on its line, such as a price or a name; any other goes by its bytes. */
function shortQuoted(value: string, column: number): string | undefined {
  if (value.length > shortValue || !value.isWellFormed() || /^\.|[\r\n]|[ \t]$/.test(value)) return undefined;
  const quoted = value.replace(/[^ -<>-~]+/g, escaped);
  return column + quoted.length <= longestQuotedLine ? quoted : undefined;
}

/** The bytes of a text, all escaped; a URI writes them alike but for the sign. */
const escaped = (text: string): string => encodeURIComponent(text).replaceAll("%", "=");
