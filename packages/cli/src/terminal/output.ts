import { styleText } from "node:util";
import type { CliError } from "../program/cli-error.ts";
import { exitCodes } from "../program/exit-codes.ts";
import { type Called, toCliError } from "../program/to-cli-error.ts";

/** A column of a table: its title, and how a row's cell reads. */
export interface Column<T> {
  title: string;
  cell(row: T): string | number | boolean | null | undefined;
  align?: "right";
}

/** How a command speaks: data on standard output, everything else on standard error. */
export interface Output {
  /** Whether data goes out as JSON: asked for, or standard output is no terminal. */
  json: boolean;
  /** Whether `--json` itself was given: for data that is text by nature, which a pipe gets as text. */
  jsonAsked: boolean;
  /** Whether somebody sits at both ends, so that a question makes sense. */
  interactive: boolean;
  /** A list: a table on a terminal, a JSON array otherwise. */
  list<T>(rows: readonly T[], columns: readonly Column<T>[], wire?: (row: T) => unknown): void;
  /** One thing: lines of name and value on a terminal, a JSON object otherwise. */
  record(fields: Record<string, unknown>, wire?: unknown): void;
  /** Raw text of data, such as a rendered mail. */
  data(text: string): void;
  /** A remark for people. */
  note(text: string): void;
  /** A step that worked, for people. */
  done(text: string): void;
  warn(text: string): void;
}

const write = (stream: NodeJS.WriteStream, text: string): void => {
  stream.write(text);
};

/** Paints text where the stream shows colours and `NO_COLOR` is not set. */
export function paint(
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return styleText(style, text, { stream, validateStream: true });
}

export function createOutput({ json, debug: _ }: { json: boolean; debug: boolean }): Output {
  const asJson = json || process.stdout.isTTY !== true;
  const say = (text: string): void => write(process.stderr, `${text}\n`);
  return {
    json: asJson,
    jsonAsked: json,
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    list(rows, columns, wire = (row) => row) {
      if (asJson) write(process.stdout, `${JSON.stringify(rows.map(wire), null, 2)}\n`);
      else write(process.stdout, table(rows, columns));
    },
    record(fields, wire = fields) {
      if (asJson) return write(process.stdout, `${JSON.stringify(wire, null, 2)}\n`);
      const width = Math.max(...Object.keys(fields).map((name) => name.length));
      for (const [name, value] of Object.entries(fields)) {
        write(process.stdout, `${paint("dim", name.padEnd(width))}  ${shown(value)}\n`);
      }
    },
    data: (text) => write(process.stdout, text.endsWith("\n") ? text : `${text}\n`),
    note: say,
    done: (text) => say(`${paint("green", "✓", process.stderr)} ${text}`),
    warn: (text) => say(`${paint("yellow", "!", process.stderr)} ${text}`),
  };
}

function table<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  if (rows.length === 0) return `${paint("dim", "none")}\n`;
  const cells = rows.map((row) => columns.map(({ cell }) => shown(cell(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        columns[at]?.align === "right" ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return `${[paint("bold", line(columns.map(({ title }) => title))), ...cells.map(line)].join("\n")}\n`;
}

/** A value as people read it: hostile control characters taken out. */
function shown(value: unknown): string {
  if (value === undefined || value === null || value === "") return "–";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, "�");
}

/** Tells a failure on standard error, and what the exit code is. */
export function tellFailure(
  error: unknown,
  { json, debug }: { json: boolean; debug: boolean },
  called?: Called,
): number {
  const failure: CliError = toCliError(error, called);
  if (json) {
    const { code, message, hint } = failure;
    write(
      process.stderr,
      `${JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } })}\n`,
    );
  } else {
    write(process.stderr, `${paint("red", "error:", process.stderr)} ${failure.message}\n`);
    if (failure.hint !== undefined) write(process.stderr, `${failure.hint}\n`);
  }
  if (debug) write(process.stderr, `${(failure.cause as Error | undefined)?.stack ?? failure.stack ?? ""}\n`);
  return exitCodes[failure.failure];
}
