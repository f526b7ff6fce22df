import { isQuotedShorter, quotedPrintable } from "./quoted-printable.ts";
import { isPlainAscii, longestLine, withCrlf } from "./transfer-encoding.ts";

/** A template literal in one encoding, ready to be copied into messages. */
export interface ReadyLiteral {
  /** ASCII. A string takes a quarter of a short buffer's memory, of which a content has thousands. */
  text: string;
  /** Length of the first line; `last` is that of the last line if there are several. */
  first: number;
  last: number;
  hasBreak: boolean;
}

/** The literals of a template in both encodings of text. */
export interface PreparedLiterals {
  /** Unencoded; `undefined` if one of them is not ASCII or has a line that is too long, or that mailboxes change. */
  plain: readonly ReadyLiteral[] | undefined;
  /** In quoted-printable, made for the first mail that needs it. */
  quoted(): readonly ReadyLiteral[];
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
  if (!isQuotedShorter(Buffer.from(withCrlf(literals.join(""))))) return "unfit";
  let quoted: readonly ReadyLiteral[] | undefined;
  return {
    plain: plainLiterals(literals),
    quoted() {
      quoted ??= literals.map((literal) =>
        readyLiteral(quotedPrintable(Buffer.from(withCrlf(literal))).split("\r\n")),
      );
      return quoted;
    },
  };
}

function plainLiterals(literals: readonly string[]): readonly ReadyLiteral[] | undefined {
  if (!literals.every(isPlainAscii)) return undefined;
  const texts = literals.map(withCrlf);
  // A value may follow that begins with a blank.
  if (texts.some((text) => /^From(?: |$)/m.test(text))) return undefined;
  const lines = texts.map((text) => text.split("\r\n"));
  return lines.flat().some(({ length }) => length > longestLine) ? undefined : lines.map(readyLiteral);
}

function readyLiteral(lines: readonly string[]): ReadyLiteral {
  return {
    text: lines.join("\r\n"),
    first: lines[0]?.length ?? 0,
    last: lines.at(-1)?.length ?? 0,
    hasBreak: lines.length > 1,
  };
}
