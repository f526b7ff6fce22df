import { setImmediate as turn } from "node:timers/promises";
import { beginningOf } from "../rules/beginning-of.ts";
import { type CsvRecord, createCsvParser, tooLong } from "./csv-parser.ts";
import { type LineForm, type ReadLine, unreadable } from "./line-form.ts";
import { untilFault } from "./until-fault.ts";

/** Parses CSV with a comma, a semicolon or a tab between cells, or what a line `sep=` names. Throws as `readLines` does. */
export async function* readCsv<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const file = untilFault(content);
  const parser = await createCsvParser(form.maxLineBytes);
  let columns: readonly string[] | undefined;
  const rowOf = ({ line, cells, fault }: CsvRecord): ReadLine<T> | undefined => {
    if (columns === undefined) {
      if (fault !== undefined) throw unreadable(line, `it ${fault.words}`);
      const found = form.columns(cells);
      if (found === undefined) throw unreadable(line, form.wanted);
      columns = found.names;
      if (found.isHeader) return undefined;
    }
    if (fault === undefined) return { line, fields: form.row(cellsOf(columns, cells)), value: "" };
    return { line, fields: undefined, value: beginningOf(fault.text.trim(), 200), fault: fault.words };
  };
  async function* rows(): AsyncGenerator<ReadLine<T>> {
    for (let isDone = false; !isDone; ) {
      await turn();
      const parsed = parser.parse();
      for (const record of parsed.records) {
        const row = rowOf(record);
        if (row !== undefined) yield row;
      }
      if (parsed.error !== undefined) throw parsed.error;
      isDone = parsed.isDone;
    }
  }
  /** The beginning of a line, in parts: of chunks of one byte, each would be copied together with all before it. */
  let parts: string[] = [];
  let length = 0;
  const isTooLong = () => length + parser.openLength() > form.maxLineBytes;
  for await (const text of textOf(file.items)) {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf("\n", at);
      const part = text.slice(at, end < 0 ? undefined : end);
      parts.push(part);
      length += part.length;
      if (isTooLong()) {
        yield* rows();
        if (isTooLong()) throw unreadable(parser.openLine(), tooLong);
      }
      if (end < 0) break;
      at = end + 1;
      parser.add(parts.join(""));
      parts = [];
      length = 0;
      if (parser.isDue(false)) yield* rows();
    }
    if (parser.isDue(true)) yield* rows();
  }
  yield* rows();
  if (isTooLong()) throw unreadable(parser.openLine(), tooLong);
  file.assertWhole();
  parser.add(parts.join(""));
  yield* rows();
  if (parser.openLength() > 0) throw unreadable(parser.openLine(), tooLong);
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
