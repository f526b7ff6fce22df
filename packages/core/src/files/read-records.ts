import type { CsvError, parse as parseCsv } from "csv-parse/sync";

/** A line as it is in the file, and as csv-parse is given it. */
export interface CsvLine {
  readonly text: string;
  csv: string;
}

/** Lines that are a record, from the one at `from` to before the one at `to`. */
interface Place {
  from: number;
  to: number;
}

/** Where csv-parse stopped: a record up to the line at fault, or to the last one if that is open. */
interface Stop extends Place {
  /** Number of its cells before. */
  cells: number;
  /** Whether it goes on with the next line. */
  isOpen: boolean;
  /** Whether the cell at fault has begun on an earlier line. */
  isLater: boolean;
}

/** Parses lines up to what is not CSV, or may be meant otherwise than csv-parse takes it. */
export function readRecords(
  parse: typeof parseCsv,
  lines: readonly CsvLine[],
  delimiter: string,
): { read: (Place & { cells: string[] })[]; stop?: Stop } {
  const read: (Place & { cells: string[] })[] = [];
  const text = lines.map(({ csv }) => `${csv}\n`).join("");
  let at = 0;
  let empty = 0;
  let stop: Stop | undefined;
  function onRecord({ record, raw }: { record: string[]; raw: string }, info: { empty_lines: number }): null {
    const place = { from: at + info.empty_lines - empty, to: at + breaksIn(raw) };
    if (/""\s+"/.test(raw) && adapted(lines.slice(place.from, place.to), delimiter) !== undefined) {
      stop = { ...place, cells: 0, isOpen: false, isLater: false };
      throw new Error("is to be adapted");
    }
    at = place.to;
    empty = info.empty_lines;
    read.push({ ...place, cells: record });
    // Records are collected here, as those before an error would be lost.
    return null;
  }
  try {
    parse(text, {
      delimiter,
      raw: true,
      // Detected, it would be that of the first line for all.
      record_delimiter: "\n",
      relax_column_count: true,
      // Replies of mail servers, as in a reason, contain quotes.
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      on_record: onRecord as never,
    });
  } catch (error) {
    if (stop !== undefined) return { read, stop };
    const { code, raw, bytes, index, empty_lines } = error as CsvError & StopInfo;
    if (raw === undefined) throw error;
    const from = at + empty_lines - empty;
    const end = at + breaksIn(raw);
    const begun = index === 0 ? from : breaksIn(Buffer.from(text).toString("utf8", 0, bytes));
    const isOpen = code === "CSV_QUOTE_NOT_CLOSED";
    const to = Math.min(end + 1, lines.length);
    return { read, stop: { from, to, cells: index, isOpen, isLater: end > begun } };
  }
  return { read };
}

/** What csv-parse tells of where it stopped. */
interface StopInfo {
  /** The text behind the last record. */
  raw: string | undefined;
  /** Number of the record's cells before, and of the bytes up to their end. */
  index: number;
  bytes: number;
  empty_lines: number;
}

const breaksIn = (text: string): number => text.split("\n").length - 1;

/** Puts the lines of a record into the form for csv-parse. Returns whether that is another. */
export function adapt(record: readonly CsvLine[], delimiter: string): boolean {
  const lines = adapted(record, delimiter);
  for (const [at, line] of record.entries()) line.csv = lines?.[at] ?? line.csv;
  return lines !== undefined;
}

/**
 * Quotes the cells of a record that are addresses as in a mail's header: `"Doe, Jane" <jane@example.com>`. And has
 * csv-parse see the text behind a closing quote in `"" "`, of which it would go on with the second quote. Returns
 * `undefined` if there is nothing of that.
 */
function adapted(lines: readonly CsvLine[], delimiter: string): string[] | undefined {
  const record = lines.map(({ csv }) => csv).join("\n");
  const end = `\\${delimiter}`;
  const blank = `[^\\S\n${end}]`;
  const gap = `"(?<gap>${blank}+)(?=")`;
  const address = `(?<address>${blank}*<[^"${end}]*>(?=${blank}*(?:${end}|$)))`;
  const quotedCell = `"(?<=(?:^|${end})${blank}*")(?:${gap}|[^"]*(?:""[^"]*)*(?:$|"${address}?))`;
  const form = record.replace(
    new RegExp(quotedCell, "g"),
    (cell: string, inside?: string, behind?: string) => {
      if (inside !== undefined) return '""x';
      return behind === undefined || cell.includes("\n") ? cell : `"${cell.replaceAll('"', '""')}"`;
    },
  );
  return form === record ? undefined : form.split("\n");
}
