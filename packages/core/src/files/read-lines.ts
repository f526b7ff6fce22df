import { fieldError } from "../errors.ts";

/** The forms in which a list is written. */
export type ListFormat = "csv" | "ndjson";

/** What the lines of a file are. */
export interface LineForm<T> {
  /** Bytes that a line may hold. */
  maxLineBytes: number;
  /**
   * The names of the columns by the first line of CSV, and whether that line is a header or a row already. `undefined` where it can be
   * neither; the refusal says `wanted` then.
   */
  columns(first: readonly string[]): { names: readonly string[]; isHeader: boolean } | undefined;
  wanted: string;
  /** What the cells of a row say, by column; of two columns of one name the first counts. */
  row(cells: ReadonlyMap<string, string>): T;
  /** What an object of NDJSON says. */
  object(value: Record<string, unknown>): T;
}

/** A line of a file. */
export interface ReadLine<T> {
  /** Where it begins, from 1. */
  line: number;
  /** What the line says; `undefined` where it is no object of JSON, whose text is in `value` then. */
  fields: T | undefined;
  value: string;
}

/**
 * Reads a file line by line, however large. Throws `validation_failed` naming `content` and the line from which it can't be read any
 * further.
 */
export const readLines = <T>(
  content: AsyncIterable<Uint8Array>,
  format: ListFormat,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> => (format === "csv" ? readCsv(content, form) : readNdjson(content, form));

const unreadable = (line: number, why: string): Error =>
  fieldError("content", `can't be read from line ${line} on: ${why}`);

async function* readCsv<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const { first, all } = await peek(content, form.maxLineBytes);
  const parser = await createParser(delimiterOf(first), form.maxLineBytes);
  let columns: readonly string[] | undefined;
  let line = 1;
  let twice = 0;
  const take = function* (): Generator<ReadLine<T>> {
    for (const { record, lines } of parser.take()) {
      // The parser counts a break of CRLF within quotes as two lines.
      twice += breaksIn(record, "\r\n");
      const end = lines - twice;
      const from = end - breaksIn(record, "\n");
      line = end + 1;
      if (columns === undefined) {
        const found = form.columns(record);
        if (found === undefined) throw unreadable(1, form.wanted);
        columns = found.names;
        if (found.isHeader) continue;
      }
      yield { line: from, fields: form.row(cellsOf(columns, record)), value: "" };
    }
  };
  for await (const chunk of all) {
    const error = await parser.write(chunk);
    yield* take();
    if (error !== undefined) throw unreadable(line, wordsOf(error));
  }
  const error = await parser.end();
  yield* take();
  if (error !== undefined) throw unreadable(line, wordsOf(error));
}

const breaksIn = (record: readonly string[], ending: string): number =>
  record.reduce((breaks, cell) => breaks + cell.split(ending).length - 1, 0);

const wordsOf = (error: Error & { code?: string }): string =>
  error.code === "CSV_MAX_RECORD_SIZE" || error.code === "CSV_QUOTE_NOT_CLOSED"
    ? "a quote is never closed, or the line is too long"
    : "it is no CSV";

/** A record and the number of the line that it ends on. */
interface CsvRecord {
  record: string[];
  lines: number;
}

interface CsvParser {
  /** What is wrong with the text so far, `undefined` for nothing. */
  write(chunk: Uint8Array): Promise<Error | undefined>;
  end(): Promise<Error | undefined>;
  /** What was read since the last time: also what stands before a fault. */
  take(): CsvRecord[];
}

async function createParser(delimiter: string, maxLineBytes: number): Promise<CsvParser> {
  const { parse } = await import("csv-parse");
  let read: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: maxLineBytes,
    relax_column_count: true,
    // Replies of mail servers come with quotes of their own.
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    on_record: (record: string[], { lines }) => {
      read.push({ record, lines });
      // The stream itself would throw away, with a fault, what it had read before.
      return null;
    },
  });
  parser.resume();
  const failed = new Promise<Error>((resolve) => parser.once("error", resolve));
  const orFailed = (done: Promise<undefined>): Promise<Error | undefined> => Promise.race([done, failed]);
  return {
    write: (chunk) =>
      orFailed(new Promise((resolve) => parser.write(chunk, (error) => error || resolve(undefined)))),
    end: () =>
      orFailed(
        new Promise((resolve) => {
          parser.once("end", () => resolve(undefined));
          parser.end();
        }),
      ),
    take() {
      const taken = read;
      read = [];
      return taken;
    },
  };
}

function cellsOf(columns: readonly string[], record: readonly string[]): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [at, column] of columns.entries())
    if (column !== "" && !cells.has(column)) cells.set(column, record[at] ?? "");
  return cells;
}

/** Spreadsheets of some countries write a semicolon. */
function delimiterOf(firstLine: string): string {
  const bare = firstLine.replace(/"[^"]*"/g, "");
  const count = (one: string): number => bare.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The first line, and the content with it. */
async function peek(
  content: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): Promise<{ first: string; all: AsyncGenerator<Uint8Array> }> {
  const reader = content[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (!head.includes(10) && head.length < maxLineBytes) {
    const { done, value } = await reader.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      for (let next = await reader.next(); next.done !== true; next = await reader.next()) yield next.value;
    } finally {
      await reader.return?.();
    }
  }
  return { first: head.toString("utf8").split("\n", 1)[0] ?? "", all: all() };
}

async function* readNdjson<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > form.maxLineBytes) throw unreadable(line + lines.length + 1, "the line is too long");
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield parseLine(line, text, form);
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield parseLine(line + 1, rest, form);
}

function parseLine<T>(line: number, text: string, form: LineForm<T>): ReadLine<T> {
  const broken = { line, fields: undefined, value: text.trim().slice(0, 200) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return broken;
  return { line, fields: form.object(value as Record<string, unknown>), value: "" };
}
