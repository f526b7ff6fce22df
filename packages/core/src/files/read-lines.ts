import { assertUtf8 } from "./assert-utf8.ts";
import type { LineForm, ListFormat, ReadLine } from "./line-form.ts";
import { readCsv } from "./read-csv.ts";
import { readNdjson } from "./read-ndjson.ts";
import { utf16ToUtf8 } from "./to-utf8.ts";
import { untilFault } from "./until-fault.ts";

/**
 * Reads a file of any size line by line; it may be UTF-16 with its byte order mark. Throws `validation_failed` naming
 * `content` and the line from which it can't be read.
 */
export function readLines<T>(
  content: AsyncIterable<Uint8Array>,
  format: ListFormat,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const utf8 = utf16ToUtf8(content);
  const text = form.mustBeUtf8 ? assertUtf8(utf8) : utf8;
  return format === "csv" ? readCsv(text, form) : readNdjson(text, form);
}

/** Lines of a file up to its end, or to where it can't be read any further. */
export interface ReadableLines<T> {
  lines: AsyncGenerator<ReadLine<T>>;
  /** Throws what ended the lines, as `readLines` does, or as the file does. Called once what came before is stored. */
  assertWhole(): void;
}

/** As `readLines`, for those who keep the lines before a fault. */
export function readUntilFault<T>(...file: Parameters<typeof readLines<T>>): ReadableLines<T> {
  const { items, assertWhole } = untilFault(readLines(...file));
  return { lines: items, assertWhole };
}
