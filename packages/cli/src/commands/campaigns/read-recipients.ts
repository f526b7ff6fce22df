import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import { CliError } from "../../program/cli-error.ts";

/** A recipient as the interface takes it. */
export interface ListedRecipient {
  to: string;
  template_data?: Record<string, unknown>;
}

const pieceSize = 1_000;

/** A list from a file, piece by piece: CSV with a header line, or lines of JSON where it is named so. Throws a `CliError` that names the line. */
export async function* readRecipients(file: string): AsyncGenerator<ListedRecipient[]> {
  let piece: ListedRecipient[] = [];
  for await (const recipient of /\.(nd)?jsonl?$/i.test(file) ? readLines(file) : readCsv(file)) {
    piece.push(recipient);
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

const open = (file: string) => (file === "-" ? process.stdin : createReadStream(file));

const unreadable = (file: string, line: number, fault: string): CliError =>
  new CliError("usage", `${file}, line ${line}: ${fault}.`);

async function* readLines(file: string): AsyncGenerator<ListedRecipient> {
  let number = 0;
  for await (const line of createInterface({ input: open(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === "") continue;
    yield readLine(file, number, line);
  }
}

function readLine(file: string, number: number, line: string): ListedRecipient {
  let read: { to?: unknown; email?: unknown; template_data?: Record<string, unknown> };
  try {
    read = JSON.parse(line.replace(/^\uFEFF/, ""));
  } catch {
    throw unreadable(file, number, "is not JSON");
  }
  const to = read.to ?? read.email;
  if (typeof to !== "string") throw unreadable(file, number, 'has no "to"');
  return { to, ...(read.template_data === undefined ? {} : { template_data: read.template_data }) };
}

async function* readCsv(file: string): AsyncGenerator<ListedRecipient> {
  const rows = open(file).pipe(
    parse({ bom: true, columns: true, trim: true, skip_empty_lines: true, info: true }),
  );
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      const { email, to = email, ...data } = record;
      if (to === undefined) throw unreadable(file, 1, 'has no column "email"');
      if (to === "") throw unreadable(file, info.lines, "has no address");
      yield { to, ...(Object.keys(data).length === 0 ? {} : { template_data: data }) };
    }
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error) || !("lines" in error)) throw error;
    throw unreadable(file, Number(error.lines), error.message);
  }
}
