import type { CliError } from "../program/cli-error.ts";
import { exitCodes } from "../program/exit-codes.ts";
import { type Called, toCliError } from "../program/to-cli-error.ts";
import { paint } from "./paint.ts";
import { safeJsonLines, withoutTurns } from "./safe-text.ts";
import { type Column, formatFields, formatTable } from "./table.ts";

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

export function createOutput({ json, debug: _ }: { json: boolean; debug: boolean }): Output {
  const asJson = json || process.stdout.isTTY !== true;
  // Names in it may be anybody's; colours are our own.
  const say = (text: string): void => write(process.stderr, `${withoutTurns(text)}\n`);
  return {
    json: asJson,
    jsonAsked: json,
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    list(rows, columns, wire = (row) => row) {
      if (asJson) write(process.stdout, `${safeJsonLines(rows.map(wire))}\n`);
      else write(process.stdout, formatTable(rows, columns));
    },
    record(fields, wire = fields) {
      if (asJson) return write(process.stdout, `${safeJsonLines(wire)}\n`);
      write(process.stdout, formatFields(Object.entries(fields)));
    },
    data: (text) => write(process.stdout, text.endsWith("\n") ? text : `${text}\n`),
    note: say,
    done: (text) => say(`${paint("green", "✓", process.stderr)} ${text}`),
    warn: (text) => say(`${paint("yellow", "!", process.stderr)} ${text}`),
  };
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
    write(process.stderr, `${paint("red", "error:", process.stderr)} ${withoutTurns(failure.message)}\n`);
    if (failure.hint !== undefined) write(process.stderr, `${failure.hint}\n`);
  }
  if (debug) write(process.stderr, `${(failure.cause as Error | undefined)?.stack ?? failure.stack ?? ""}\n`);
  return exitCodes[failure.failure];
}
