import { unreadable } from "./line-form.ts";

/** Maximum cells of a record. Each takes longer than the bytes of a long text. */
const maxCells = 1_000;

/** A record of a CSV file, which ends with a line but may have begun on an earlier one. */
export interface CsvRecord {
  /** Number of the line that it begins on, from 1. */
  line: number;
  /** The cells, without blanks around them. */
  cells: string[];
  /** What makes it unusable, though the lines behind it can be read. */
  fault?: string;
  /** The line that it ends with. */
  text: string;
}

/** Puts the lines of a CSV file together to records. */
export interface CsvRecords {
  /**
   * Takes a line without its line feed. Returns the record that ends with it: none within a quoted cell, and for an
   * empty line. Throws `validation_failed` for one behind which nothing can be read.
   */
  add(text: string): CsvRecord | undefined;
  /** Whether a record has begun and not ended. */
  isOpen(): boolean;
  /** Number of the line on which the open record began, or the next one does. */
  openLine(): number;
  /** Number of the open record's characters so far. */
  openLength(): number;
}

/** Creates it for the lines behind the first `before` of a file. */
export function createCsvRecords(delimiter: string, before: number): CsvRecords {
  const { skipBlanks, endOfCell, trimmed } = createScan(delimiter);
  let lines = before;
  let line = before + 1;
  let length = 0;
  let cells: string[] = [];
  /** A quoted cell that goes on with the next line, in parts. */
  let open: string[] | undefined;
  function push(cell: string): void {
    if (cells.length === maxCells) throw unreadable(line, `it has more than ${maxCells} cells`);
    cells.push(cell);
  }
  function ended(text: string, fault?: string): CsvRecord {
    const record = { line, cells, text, ...(fault !== undefined && { fault }) };
    cells = [];
    length = 0;
    line = lines + 1;
    return record;
  }
  /** Reads on in a quoted cell. Returns where it ends, `undefined` if that is on a later line; or what is wrong. */
  function readQuoted(text: string, from: number): number | undefined | { fault: string } {
    const quote = closingQuote(text, from);
    if (quote === undefined) {
      open ??= [];
      open.push(text.slice(from), "\n");
      return undefined;
    }
    const end = skipBlanks(text, quote + 1);
    if (end === text.length || text[end] === delimiter) {
      push([...(open ?? []), text.slice(from, quote)].join("").replaceAll('""', '"'));
      open = undefined;
      return end;
    }
    // What is between the quotes may be whole lines, which nobody would miss.
    if (open !== undefined) throw unreadable(line, "a quote is closed on a later line, and text follows it");
    const next = endOfCell(text, end);
    const written = trimmed(text, from - 1, next);
    // An address as in a mail's header: "Doe, Jane" <jane@example.com>
    if (!/^<[^"]*>$/.test(written.slice(end - from + 1)))
      return { fault: "is not CSV: text follows a closing quote" };
    push(written);
    return next;
  }
  return {
    add(text) {
      lines += 1;
      let at = 0;
      if (open === undefined) {
        at = skipBlanks(text, 0);
        if (at === text.length) line = lines + 1;
        if (at === text.length) return undefined;
      }
      length += text.length + 1;
      for (;;) {
        if (open !== undefined || text[at] === '"') {
          const end = readQuoted(text, open === undefined ? at + 1 : at);
          if (typeof end === "object") return ended(text, end.fault);
          if (end === undefined) return undefined;
          at = end;
        } else {
          const end = endOfCell(text, at);
          push(trimmed(text, at, end));
          at = end;
        }
        if (at === text.length) return ended(text);
        at = skipBlanks(text, at + 1);
      }
    },
    isOpen: () => open !== undefined,
    openLine: () => line,
    openLength: () => length,
  };
}

function createScan(delimiter: string) {
  const blanks = " \t\f\r".replace(delimiter, "");
  const isBlankAt = (text: string, at: number): boolean =>
    at < text.length && blanks.includes(text.charAt(at));
  return {
    skipBlanks(text: string, from: number): number {
      let at = from;
      while (isBlankAt(text, at)) at += 1;
      return at;
    },
    endOfCell(text: string, from: number): number {
      const end = text.indexOf(delimiter, from);
      return end < 0 ? text.length : end;
    },
    trimmed(text: string, from: number, to: number): string {
      let end = to;
      while (end > from && isBlankAt(text, end - 1)) end -= 1;
      return text.slice(from, end);
    },
  };
}

/** Returns where a quoted cell's closing quote is; `undefined` if it is on a later line. */
function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return undefined;
}
