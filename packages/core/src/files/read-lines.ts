import { assertUtf8 } from "./assert-utf8.ts";
import type { LineForm, ListFormat, ReadLine } from "./line-form.ts";
import { readCsv } from "./read-csv.ts";
import { readNdjson } from "./read-ndjson.ts";

/**
 * Reads a file of any size line by line. Throws `validation_failed` naming `content` and the line from which it can't
 * be read.
 */
export function readLines<T>(
  content: AsyncIterable<Uint8Array>,
  format: ListFormat,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const text = form.mustBeUtf8 ? assertUtf8(content) : content;
  return format === "csv" ? readCsv(text, form) : readNdjson(text, form);
}
