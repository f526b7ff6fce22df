import { unreadable } from "./line-form.ts";
import { adapt, type CsvLine, readRecords } from "./read-records.ts";

/** Maximum cells of a record. Each takes longer than the bytes of a long text. */
const maxCells = 1_000;
/** Characters that are parsed in one turn of the event loop: even of these each can be a cell. */
const turnCharacters = 16 * 1024;

export const tooLong = "a quote is never closed, or the line is too long";

/** A record of a CSV file, which ends with a line but may have begun on an earlier one. */
export interface CsvRecord {
  /** Number of the line that it begins on, from 1. */
  line: number;
  /** The cells, without blanks around them. */
  cells: string[];
  /** What makes it unusable, though the lines behind it can be read; and the line that it ends with. */
  fault?: { words: string; text: string };
}

/** Parses the lines of a CSV file in batches. */
export interface CsvParser {
  /** Takes a line without its line feed. */
  add(text: string): void;
  /** Whether it should parse: now, or if no further line is there yet. */
  isDue(isLast: boolean): boolean;
  /**
   * Parses the lines that it was given, up to one that needs a turn of its own: then `isDone` is false. Returns the
   * records that end with them, without empty lines; and the error for one behind which nothing can be read.
   */
  parse(): { records: CsvRecord[]; isDone: boolean; error?: unknown };
  /** Number of the parsed characters of a record that goes on with the next line. */
  openLength(): number;
  /** Number of the line on which the open record began, or the next one does. */
  openLine(): number;
}

export async function createCsvParser(maxLineBytes: number): Promise<CsvParser> {
  const { parse } = await import("csv-parse/sync");
  /** What a line `sep=` names. */
  let named: string | undefined;
  let delimiter: string | undefined;
  /** The lines of which no record has ended, and the number of the first. */
  let lines: CsvLine[] = [];
  let line = 1;
  let added = 0;
  let open = 0;
  function keepFrom(at: number): void {
    lines = lines.slice(at);
    line += at;
  }
  function beyondLimit(cells: number, from: number, to: number): string | undefined {
    if (cells > maxCells) return `it has more than ${maxCells} cells`;
    return lengthOf(lines.slice(from, to)) > maxLineBytes ? tooLong : undefined;
  }
  function parseLines(separator: string): ReturnType<CsvParser["parse"]> {
    const { read, stop } = readRecords(parse, lines, separator);
    const records: CsvRecord[] = [];
    const fail = (from: number, why: string) => ({
      records,
      isDone: true,
      error: unreadable(line + from, why),
    });
    for (const { cells, from, to } of read) {
      const fault = beyondLimit(cells.length, from, to);
      if (fault !== undefined) return fail(from, fault);
      records.push({ line: line + from, cells });
    }
    keepFrom(stop?.from ?? lines.length);
    if (stop === undefined) return { records, isDone: true };
    const record = lines.slice(0, stop.to - stop.from);
    if (adapt(record, separator)) return { records, isDone: false };
    const fault = beyondLimit(stop.cells, 0, record.length);
    if (fault !== undefined) return fail(0, fault);
    if (stop.isOpen) open = lengthOf(record) + 1;
    if (stop.isOpen) return { records, isDone: true };
    // What is between the quotes may be whole lines, which nobody would miss.
    if (stop.isLater) return fail(0, "a quote is closed on a later line, and text follows it");
    const words = "is not CSV: text follows a closing quote";
    records.push({ line, cells: [], fault: { words, text: record.at(-1)?.text ?? "" } });
    keepFrom(record.length);
    return { records, isDone: false };
  }
  return {
    add(text) {
      added += text.length + 1;
      if (delimiter === undefined) {
        const names = named === undefined ? delimiterNamedIn(text) : undefined;
        if (names !== undefined || text.trim() === "") {
          named ??= names;
          line += 1;
          return;
        }
        delimiter = named ?? delimiterOf(text);
      }
      lines.push({ text, csv: text });
    },
    // A record that goes on is parsed from its beginning again: only once it has doubled.
    isDue: (isLast) => added >= Math.max(isLast ? 1 : turnCharacters, open),
    parse() {
      added = 0;
      open = 0;
      return delimiter === undefined ? { records: [], isDone: true } : parseLines(delimiter);
    },
    openLength: () => open,
    openLine: () => line,
  };
}

const lengthOf = (lines: readonly CsvLine[]): number =>
  lines.reduce((length, { text }) => length + text.length + 1, -1);

/** Returns the delimiter in a line such as `sep=;`, which spreadsheets write before the columns' names. */
const delimiterNamedIn = (firstLine: string): string | undefined =>
  /^(?<quote>"?)sep=(?<delimiter>[^\w"\r ])\k<quote>\r?$/i.exec(firstLine)?.groups?.["delimiter"];

/** Detects the delimiter: spreadsheets of some countries write semicolons. */
function delimiterOf(firstLine: string): string {
  const bare = firstLine.slice(0, turnCharacters).replace(/"[^"]*"/g, "");
  const count = (one: string): number => bare.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}
