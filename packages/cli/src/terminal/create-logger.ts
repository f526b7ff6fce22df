import { isatty } from "node:tty";
import type { Logger } from "@posthorn/core";
import { destination, pino, stdSerializers, stdTimeFunctions } from "pino";
import type { SettingValues } from "../program/settings/settings.ts";
import { startLine } from "./open-line.ts";

/** Bytes of lines that are kept while they can't be written; further ones are lost. */
const maxKeptBytes = 1024 * 1024;

/** Whether the log is read on a terminal: the descriptor itself, because a thread's `process.stderr` is never one. */
export const isOnTerminal = (): boolean => isatty(2);

/** Ms after which lines that could not be written are tried again. */
const againMs = 100;

/** Ms for which a process that ends waits for the reader of its last lines. */
const lastMs = 2000;

/**
 * Creates a logger of JSON lines on standard error, plain ones on a terminal. A log that can't be written, such as on a
 * full disk or while whoever reads it stands still, does not stop the service: a part is kept, and written once that is
 * possible. It writes synchronously, and what is kept when the process ends waits for its reader, so that the last lines,
 * which tell why it ended, are not lost behind a pipe that is full for a moment.
 */
export function createLogger(level: SettingValues["log_level"]): Logger {
  let waitsUntil = 0;
  // By default, a pipe that is full would be waited for with the thread.
  const retryEAGAIN = (): boolean => performance.now() < waitsUntil;
  const lines = destination({ dest: 2, sync: true, maxLength: maxKeptBytes, retryEAGAIN });
  let isWaiting = false;
  lines.on("error", () => {
    if (isWaiting) return;
    isWaiting = true;
    // Once nothing more can be kept, further lines are lost without a try.
    setTimeout(() => {
      isWaiting = false;
      lines.write("");
    }, againMs).unref();
  });
  process.once("exit", () => {
    waitsUntil = performance.now() + lastMs;
    lines.write("");
  });
  const writeLine = (line: string): void => {
    startLine(process.stderr);
    lines.write(describeLine(line));
  };
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    isOnTerminal() ? { write: writeLine } : lines,
  );
}

/** Like pino's own, which appends the words of an error's causes, but only those that it does not have already. */
function describeError(error: unknown): unknown {
  const told = stdSerializers.err(error as Error);
  if (!(error instanceof Error && error.cause instanceof Error)) return told;
  return error.message.includes(error.cause.message) ? { ...told, message: error.message } : told;
}

/** Formats a line such as `08:30:00 warn the queue's numbers can't be read {"requestId":"…"}`. */
export function describeLine(line: string): string {
  const { level, time, pid: _, msg, err, ...fields } = JSON.parse(line);
  const rest = [
    ...(err === undefined ? [] : [`: ${err.message}`]),
    ...(Object.keys(fields).length === 0 ? [] : [` ${JSON.stringify(fields)}`]),
  ].join("");
  return `${String(time).slice(11, 19)} ${level} ${msg}${rest}`.replace(/\p{Cc}/gu, " ") + "\n";
}
