import type { CliError } from "../program/errors/cli-error.ts";
import { exitCodes } from "../program/errors/exit-codes.ts";
import { type Called, toCliError } from "../program/errors/to-cli-error.ts";
import { asCalled, type Choice } from "../program/verbs/called-as.ts";
import { csvHeader, csvLine, csvNames } from "./csv.ts";
import { fitMessage } from "./fit-message.ts";
import { startLine } from "./open-line.ts";
import type { OutputFormat } from "./output-formats.ts";
import { paint } from "./paint.ts";
import { safeJson, safeJsonLines, shownText, withoutTurns } from "./safe-text.ts";
import { type Column, formatFields, formatTable } from "./table.ts";
import { writeData } from "./write-data.ts";

/** Finds the names of the fields that each item of a list has. */
type FindFields = () => Promise<readonly string[]>;

/** Output of a command: data on standard output, everything else on standard error. */
export interface Output {
  format: OutputFormat;
  /**
   * Whether data is written for programs, as JSON, NDJSON or CSV: requested, or because standard output is not a
   * terminal.
   */
  json: boolean;
  /** Whether a format for programs was requested. Otherwise data that is text is piped as text. */
  jsonAsked: boolean;
  /** Whether both streams are terminals, so that a question can be answered. */
  interactive: boolean;
  /** Writes a list: a table on a terminal. `wire` returns the form for programs. */
  list<T>(rows: readonly T[], columns: readonly Column<T>[], wire?: (row: T) => unknown): void;
  /** Writes the list that a route answers with. `fields` returns the fields of an item, for the header of an empty CSV. */
  answers<T>(rows: readonly T[], columns: readonly Column<T>[], fields: FindFields): Promise<void>;
  /** Writes such a list page by page. For programs each page is written as it arrives; a table needs all of them. */
  pages<T>(
    pages: AsyncIterable<readonly T[]>,
    columns: readonly Column<T>[],
    options: { signal: AbortSignal; fields: FindFields },
  ): Promise<void>;
  /** Writes one thing: lines of name and value on a terminal. `wire` is its form for programs. */
  record(fields: Record<string, unknown>, wire?: unknown): void;
  /** Writes data as raw text, such as a rendered mail. */
  data(text: string): void;
  /** Prints a note for people. */
  note(text: string): void;
  /** Prints the success of a step, for people. */
  done(text: string): void;
  warn(text: string): void;
  /** Returns an advice whose commands can be typed unchanged, and act on what this command acts on. */
  advice(text: string): string;
}

const write = (stream: NodeJS.WriteStream, text: string): void => {
  startLine(stream);
  stream.write(text);
};

/** Determines the format from the options and the output stream. */
function formatOf({ format, json }: { format?: OutputFormat; json: boolean }): OutputFormat {
  return format ?? (json || process.stdout.isTTY !== true ? "json" : "table");
}

export function createOutput(options: { json: boolean; format?: OutputFormat } & Choice): Output {
  const format = formatOf(options);
  // Names in it may come from anybody; the colours are ours.
  const say = (text: string): void =>
    write(process.stderr, `${fitMessage(asCalled(withoutTurns(text), options))}\n`);
  const list: Output["list"] = (rows, columns, wire = (row) => row) => {
    if (format === "table") write(process.stdout, formatTable(rows, columns));
    else write(process.stdout, formatRows(format, rows.map(wire)));
  };
  return {
    format,
    json: format !== "table",
    jsonAsked: options.json || (options.format !== undefined && options.format !== "table"),
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    list,
    async answers(rows, columns, fields) {
      if (format === "csv" && rows.length === 0) write(process.stdout, csvNames(await fields()));
      else list(rows, columns);
    },
    pages: (pages, columns, options) =>
      format === "table" ? tellTable(pages, columns) : tellPages(format, pages, options),
    record(fields, wire = fields) {
      if (format === "table")
        write(process.stdout, formatFields(Object.entries(fields), process.stdout.columns));
      else if (format === "csv" || format === "ndjson")
        write(process.stdout, formatRows(format, Array.isArray(wire) ? wire : [wire]));
      else write(process.stdout, `${safeJsonLines(wire)}\n`);
    },
    data: (text) => write(process.stdout, text.endsWith("\n") ? text : `${text}\n`),
    note: say,
    done: (text) => say(`${paint("green", "✓", process.stderr)} ${text}`),
    advice: (text) => adviceFor(text, options),
    warn: (text) => say(`${paint("yellow", "!", process.stderr)} ${text}`),
  };
}

type ProgramFormat = Exclude<OutputFormat, "table">;

function formatRows(format: ProgramFormat, rows: readonly unknown[]): string {
  if (format === "json") return `${safeJsonLines(rows)}\n`;
  if (format === "ndjson") return rows.map((row) => `${safeJson(row)}\n`).join("");
  return rows.length === 0 ? "" : `${csvHeader(rows[0])}${rows.map((row) => csvLine(row, rows[0])).join("")}`;
}

async function tellTable<T>(
  pages: AsyncIterable<readonly T[]>,
  columns: readonly Column<T>[],
): Promise<void> {
  const rows: T[] = [];
  for await (const page of pages) rows.push(...page);
  write(process.stdout, formatTable(rows, columns));
}

async function tellPages(
  format: ProgramFormat,
  pages: AsyncIterable<readonly unknown[]>,
  { signal, fields }: { signal: AbortSignal; fields: FindFields },
): Promise<void> {
  let first: unknown;
  for await (const page of pages) {
    for (const row of page) {
      const start = first === undefined;
      first ??= row;
      if (format === "json") await writeData(`${start ? "[" : ","}\n${indented(row)}`, signal);
      else if (format === "ndjson") await writeData(`${safeJson(row)}\n`, signal);
      else await writeData(`${start ? csvHeader(row) : ""}${csvLine(row, first)}`, signal);
    }
    if (signal.aborted) return;
  }
  if (format === "csv" && first === undefined) write(process.stdout, csvNames(await fields()));
  if (format === "json") write(process.stdout, first === undefined ? "[]\n" : "\n]\n");
}

const indented = (row: unknown): string => safeJsonLines(row).replace(/^/gm, "  ");

/** Returns an advice as {@link Output.advice} does. A URL that was given as an option is corrected there. */
const adviceFor = (text: string, choice: Choice): string =>
  asCalled(
    choice.databaseUrl === undefined ? text : text.replaceAll("SERVICE_DATABASE_URL", "--database-url"),
    choice,
  );

/** Prints a failure on standard error and returns its exit code. */
export function reportFailure(
  error: unknown,
  options: { json: boolean; format?: OutputFormat; debug: boolean } & Choice,
  called?: Called,
): number {
  const { json, format, debug } = options;
  const failure: CliError = toCliError(error, called);
  const hint = failure.hint === undefined ? undefined : adviceFor(failure.hint, options);
  if (json || format === "json" || format === "ndjson") {
    // Programs find code, message and hint in every failure (decisions §13); details are left out where there are none.
    const { code, message, details } = failure;
    write(process.stderr, `${safeJson({ error: { code, message, hint: hint ?? null, details } })}\n`);
  } else {
    // A server's own words may be among it.
    const told = fitMessage(`error: ${withoutTurns(shownText(failure.message, process.stderr))}`);
    write(process.stderr, `${told.replace("error:", paint("red", "error:", process.stderr))}\n`);
    if (hint !== undefined) write(process.stderr, `${fitMessage(hint)}\n`);
  }
  if (debug) write(process.stderr, `${(failure.cause as Error | undefined)?.stack ?? failure.stack ?? ""}\n`);
  return exitCodes[failure.failure];
}
