import { setImmediate as turn } from "node:timers/promises";
import { beginningOf } from "../rules/beginning-of.ts";
import { type CsvRecord, createCsvRecords } from "./csv-records.ts";
import { type LineForm, type ReadLine, unreadable } from "./line-form.ts";

/** Characters that are parsed in one turn of the event loop: even of these each can be a cell. */
const turnCharacters = 16 * 1024;

const tooLong = "a quote is never closed, or the line is too long";

/** Parses CSV with a comma, a semicolon or a tab between cells, or what a line `sep=` names. Throws as `readLines` does. */
export async function* readCsv<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  let records: ReturnType<typeof createCsvRecords> | undefined;
  let columns: readonly string[] | undefined;
  const rowOf = ({ line, cells, fault, text }: CsvRecord): ReadLine<T> | undefined => {
    if (columns === undefined) {
      if (fault !== undefined) throw unreadable(line, `it ${fault}`);
      const found = form.columns(cells);
      if (found === undefined) throw unreadable(line, form.wanted);
      columns = found.names;
      if (found.isHeader) return undefined;
    }
    if (fault !== undefined) return { line, fields: undefined, value: beginningOf(text.trim(), 200), fault };
    return { line, fields: form.row(cellsOf(columns, cells)), value: "" };
  };
  /** What a line `sep=` names. */
  let named: string | undefined;
  /** Number of lines before the first record: none of them tells the delimiter. */
  let before = 0;
  /** Takes a line, and returns the row that ends with it. */
  const take = (text: string): ReadLine<T> | undefined => {
    if (records === undefined) {
      const names = named === undefined ? delimiterNamedIn(text) : undefined;
      if (names !== undefined || text.trim() === "") {
        named ??= names;
        before += 1;
        return undefined;
      }
      records = createCsvRecords(named ?? delimiterOf(text), before);
    }
    const record = records.add(text);
    return record && rowOf(record);
  };
  /** The beginning of a line, in parts: of chunks of one byte, each would be copied together with all before it. */
  let parts: string[] = [];
  let length = 0;
  let parsed = 0;
  for await (const text of textOf(content)) {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf("\n", at);
      const part = text.slice(at, end < 0 ? undefined : end);
      parts.push(part);
      length += part.length;
      if (length + (records?.openLength() ?? 0) > form.maxLineBytes)
        throw unreadable(records?.openLine() ?? before + 1, tooLong);
      if (end < 0) break;
      at = end + 1;
      parsed += length + 1;
      if (parsed >= turnCharacters) {
        parsed = 0;
        await turn();
      }
      const row = take(parts.join(""));
      parts = [];
      length = 0;
      if (row !== undefined) yield row;
    }
  }
  const row = take(parts.join(""));
  if (row !== undefined) yield row;
  if (records?.isOpen()) throw unreadable(records.openLine(), tooLong);
}

/** Decodes a file. If its first line ends with a mere CR, as those of old Macs do, each CR becomes a line feed. */
async function* textOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let isOfMac: boolean | undefined;
  let held = "";
  for await (const chunk of content) {
    const text = held + decoder.decode(chunk, { stream: true });
    held = "";
    if (isOfMac === undefined) {
      const [ending] = /\r\n?|\n/.exec(text) ?? [];
      // The line feed may be in the next chunk.
      if (ending === "\r" && text.endsWith("\r") && text.indexOf("\r") === text.length - 1) {
        held = text;
        continue;
      }
      if (ending !== undefined) isOfMac = ending === "\r";
    }
    yield isOfMac === true ? text.replaceAll("\r", "\n") : text;
  }
  yield held + decoder.decode();
}

function cellsOf(columns: readonly string[], record: readonly string[]): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [at, column] of columns.entries())
    if (column !== "" && !cells.has(column)) cells.set(column, record[at] ?? "");
  return cells;
}

/** Returns the delimiter in a line such as `sep=;`, which spreadsheets write before the columns' names. */
const delimiterNamedIn = (firstLine: string): string | undefined =>
  /^(?<quote>"?)sep=(?<delimiter>[^\w"\r ])\k<quote>\r?$/i.exec(firstLine)?.groups?.["delimiter"];

/** Detects the delimiter: spreadsheets of some countries write semicolons. */
function delimiterOf(firstLine: string): string {
  const bare = firstLine.slice(0, turnCharacters).replace(/"[^"]*"/g, "");
  const count = (one: string): number => bare.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}
