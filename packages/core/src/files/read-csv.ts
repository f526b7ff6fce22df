import { setImmediate as turn } from "node:timers/promises";
import { type LineForm, type ReadLine, unreadable } from "./line-form.ts";

/** Maximum cells of a record. Each takes longer than the bytes of a long text. */
const maxCells = 1_000;
/**
 * Bytes of a line for each byte of text in it: as UTF-8, a character takes up to three. The parser limits the text
 * alone, so that a line of nothing but commas would have millions of cells before it ends.
 */
const bytesOfText = 4;
/** Bytes that are parsed in one turn of the event loop: even of these each can be a cell. */
const pieceBytes = 16 * 1024;

/** Parses CSV with a comma, a semicolon or a tab between cells. Throws as `readLines` does. */
export async function* readCsv<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const readable = untilFault(content);
  const { first, all } = await peek(readable.bytes, form.maxLineBytes);
  const parser = await createParser(delimiterOf(first), form.maxLineBytes);
  let columns: readonly string[] | undefined;
  let line = 1;
  let twice = 0;
  let unended = 0;
  const take = function* (): Generator<ReadLine<T>> {
    for (const { record, lines } of parser.take()) {
      if (record.length > maxCells) throw unreadable(line, `it has more than ${maxCells} cells`);
      // csv-parse counts a CRLF within quotes as two lines.
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
  for await (const chunk of all)
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      if (at > 0) await turn();
      const piece = chunk.subarray(at, at + pieceBytes);
      const ended = parser.ended();
      const error = await parser.write(piece);
      unended = parser.ended() === ended ? unended + piece.length : 0;
      yield* take();
      if (error !== undefined) throw unreadable(line, wordsOf(error));
      if (unended > bytesOfText * form.maxLineBytes) throw unreadable(line, tooLong);
    }
  readable.assertWhole();
  const error = await parser.end();
  yield* take();
  if (error !== undefined) throw unreadable(line, wordsOf(error));
}

/** More bytes than csv-parse waits for behind the end of a line, before it takes that for one. */
const filler = Buffer.from(" ".repeat(16));

/**
 * Passes a file on up to where it fails, and behind that what makes the parser take the last whole line. A line that is
 * broken off there never ends, so that it is none. `assertWhole` throws what made the file fail.
 */
function untilFault(content: AsyncIterable<Uint8Array>) {
  let fault: { error: unknown } | undefined;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      fault = { error };
      yield filler;
    }
  }
  return {
    bytes: bytes(),
    assertWhole() {
      if (fault !== undefined) throw fault.error;
    },
  };
}

const breaksIn = (record: readonly string[], ending: string): number =>
  record.reduce((breaks, cell) => breaks + cell.split(ending).length - 1, 0);

const tooLong = "a quote is never closed, or the line is too long";

const wordsOf = (error: Error & { code?: string }): string =>
  error.code === "CSV_MAX_RECORD_SIZE" || error.code === "CSV_QUOTE_NOT_CLOSED" ? tooLong : "it is not CSV";

/** A record with the number of the line that it ends on. */
interface CsvRecord {
  record: string[];
  lines: number;
}

interface CsvParser {
  /** Resolves to the error in the text so far, or `undefined`. */
  write(chunk: Uint8Array): Promise<Error | undefined>;
  end(): Promise<Error | undefined>;
  /** Returns the number of lines that have ended so far, those of nothing included. */
  ended(): number;
  /** Returns the records read since the last call, including those before an error. */
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
    // Replies of mail servers, as in a reason, contain quotes.
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    on_record: (record: string[], { lines }) => {
      read.push({ record, lines });
      // Records are collected here, as the stream would drop earlier ones when it fails.
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
    ended: () => parser.info.records + parser.info.empty_lines,
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

/** Detects the delimiter: spreadsheets of some countries write semicolons. */
function delimiterOf(firstLine: string): string {
  const bare = firstLine.slice(0, pieceBytes).replace(/"[^"]*"/g, "");
  const count = (one: string): number => bare.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Reads the first line, and returns it with the complete content. */
async function peek(
  content: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): Promise<{ first: string; all: AsyncGenerator<Uint8Array> }> {
  const reader = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (!chunks.at(-1)?.includes(10) && length < maxLineBytes) {
    const { done, value } = await reader.next();
    if (done === true) break;
    chunks.push(value);
    length += value.length;
  }
  const head = Buffer.concat(chunks);
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
