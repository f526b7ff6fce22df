import { isQuotedShorter, quotedPrintable } from "./quoted-printable.ts";
import { isPlainAscii, withCrlf } from "./transfer-encoding.ts";

/** A template literal in one encoding, ready to be copied into messages. */
export interface ReadyLiteral {
  bytes: Buffer;
  /** Length of the first line; `last` is that of the last line if there are several. */
  first: number;
  last: number;
  hasBreak: boolean;
  /** Length of the longest of all its lines. */
  longest: number;
}

/** The literals of a template in both encodings of text. */
export interface PreparedLiterals {
  /** Set if all literals are ASCII. */
  plain: readonly ReadyLiteral[] | undefined;
  quoted: readonly ReadyLiteral[];
}

const prepared = new WeakMap<readonly string[], PreparedLiterals | "unfit">();

/** Returns a template's literals encoded, once for all its mails; "unfit" if its texts must be encoded as a whole. */
export function preparedLiterals(literals: readonly string[]): PreparedLiterals | "unfit" {
  let known = prepared.get(literals);
  if (known === undefined) {
    known = prepareLiterals(literals);
    prepared.set(literals, known);
  }
  return known;
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

function readyLiteral(text: string): ReadyLiteral {
  const lines = text.split("\r\n").map(({ length }) => length);
  return {
    bytes: Buffer.from(text, "latin1"),
    first: lines[0] ?? 0,
    last: lines.at(-1) ?? 0,
    hasBreak: lines.length > 1,
    longest: lines.reduce((most, length) => Math.max(most, length), 0),
  };
}
