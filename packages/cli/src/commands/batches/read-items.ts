import { createReadStream } from "node:fs";
import type { RequestFields } from "@posthorn/client";
import { inexactFault, type LineForm, readLines, withAddressColumn } from "@posthorn/core/internal";
import { CliError } from "../../program/errors/cli-error.ts";
import { assertReadable, readTextFile, streamStdin } from "../../terminal/read-input.ts";

export type BatchFields = RequestFields<"POST /emails/batch">;

/** A recipient or an e-mail, and its line where the file has one for each: CSV, NDJSON. */
export interface BatchItem {
  fields: unknown;
  line?: number;
}

/** Contents of a file: recipients or e-mails as a stream, and the fields that they share. */
export interface BatchFile {
  shared: BatchFields;
  items: AsyncIterable<BatchItem>;
  /** Kind of the items; `undefined` if the file does not say it. */
  list: "recipients" | "emails" | undefined;
}

/**
 * Reads a file of recipients or e-mails: CSV, NDJSON, or JSON; `-` is CSV on standard input. Throws a `CliError`
 * that names the line.
 */
export async function readBatchFile(file: string): Promise<BatchFile> {
  assertReadable(file);
  if (/\.(jsonl|ndjson)$/i.test(file))
    return { shared: {}, items: readItems(file, "ndjson"), list: undefined };
  if (!/\.json$/i.test(file)) return { shared: {}, items: readItems(file, "csv"), list: "recipients" };
  const said = parse(file, await readTextFile(file));
  if (Array.isArray(said)) return { shared: {}, items: fromList(said), list: undefined };
  const { recipients, emails, ...shared } = Object(said) as BatchFields;
  const list = recipients === undefined ? "emails" : "recipients";
  const items = recipients ?? emails ?? [];
  if (!Array.isArray(items) || (recipients !== undefined && emails !== undefined))
    throw new CliError("usage", `${file} must have one list, of recipients or of emails.`);
  return { shared, items: fromList(items), list };
}

/** Columns of a recipient: address and values. Values other than text need NDJSON. */
const form: LineForm<unknown> = {
  maxLineBytes: 4 * 1024 * 1024,
  mustBeUtf8: true,
  wanted: "the first line has no column email",
  columns(first) {
    const names = withAddressColumn(first);
    return names && { names, isHeader: true };
  },
  row(cells) {
    const { email: to, ...values } = Object.fromEntries(cells);
    return Object.keys(values).length === 0 ? { to } : { to, template_data: values };
  },
  object: (value) => value,
};

async function* readItems(file: string, format: "csv" | "ndjson"): AsyncGenerator<BatchItem> {
  const content = file === "-" ? streamStdin() : createReadStream(file);
  for await (const { line, fields, fault } of readLines(content, format, form)) {
    if (fields === undefined) throw new CliError("usage", `${file}, line ${line} ${fault}.`);
    yield { fields, line };
  }
}

function parse(file: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CliError("usage", `${file} is not valid JSON: ${(error as Error).message}.`);
  }
  const fault = inexactFault(text);
  if (fault !== undefined) throw new CliError("usage", `${file} ${fault}.`);
  return value;
}

async function* fromList(items: readonly unknown[]): AsyncGenerator<BatchItem> {
  for (const fields of items) yield { fields };
}

/** Yields chunks of at most that many items. */
export async function* inPieces(items: AsyncIterable<BatchItem>, size: number): AsyncGenerator<BatchItem[]> {
  let piece: BatchItem[] = [];
  for await (const item of items) {
    piece.push(item);
    if (piece.length < size) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
