import { fieldError } from "../../errors.ts";
import { columnKey, type ImportedFields, namesColumns } from "../rules/read-entry.ts";
import { parseSuppressed } from "../rules/suppression-key.ts";

/** The forms in which a list of suppressions is written. */
export type ListFormat = "csv" | "ndjson";

/** A line of a file. */
export interface ReadLine {
  /** Where it begins, from 1. */
  line: number;
  /** Its values by column; or what is wrong with it. */
  fields: ImportedFields | undefined;
  value: string;
}

/** A line may hold what a mail server said, and no more. */
const maxLineBytes = 64 * 1024;

/**
 * Reads a file line by line, however large. Throws `validation_failed` naming `content` and the line from which it can't be read any
 * further.
 */
export const readLines = (
  content: AsyncIterable<Uint8Array>,
  format: ListFormat,
): AsyncGenerator<ReadLine> => (format === "csv" ? readCsv(content) : readNdjson(content));

const unreadable = (line: number, why: string): Error =>
  fieldError("content", `can't be read from line ${line} on: ${why}`);

/** The columns of a file that doesn't name them. */
const unnamed = ["email", "reason", "scope", "created_at", "expires_at"].map(columnKey);

async function* readCsv(content: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const { first, all } = await peek(content);
  const parser = await createParser(delimiterOf(first));
  let columns: readonly string[] | undefined;
  let line = 1;
  const take = function* (): Generator<ReadLine> {
    for (const { record, lines } of parser.take()) {
      const from = lines - record.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
      line = lines + 1;
      if (columns === undefined) {
        const isHeader = namesColumns(record);
        if (!isHeader && parseSuppressed(record[0] ?? "") === undefined)
          throw unreadable(1, "the first line names no column email, and is no address");
        columns = isHeader ? record.map(columnKey) : unnamed;
        if (isHeader) continue;
      }
      yield { line: from, fields: fieldsOf(columns, record), value: "" };
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

async function createParser(delimiter: string): Promise<CsvParser> {
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

function fieldsOf(columns: readonly string[], record: readonly string[]): ImportedFields {
  const fields: Record<string, string> = {};
  // Of two columns of one name the first counts.
  for (const [at, column] of columns.entries())
    if (column !== "" && !Object.hasOwn(fields, column)) fields[column] = record[at] ?? "";
  return fields;
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

async function* readNdjson(content: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineBytes) throw unreadable(line + lines.length + 1, "the line is too long");
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield parseLine(line, text);
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield parseLine(line + 1, rest);
}

function parseLine(line: number, text: string): ReadLine {
  const broken = { line, fields: undefined, value: text.trim().slice(0, 200) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return broken;
  const fields: Record<string, string> = {};
  for (const [name, cell] of Object.entries(value))
    if (typeof cell === "string" || typeof cell === "number") fields[columnKey(name)] = String(cell);
  return { line, fields, value: "" };
}
