import { isatty } from "node:tty";
import type { Logger } from "@posthorn/core";
import { destination, pino, stdSerializers, stdTimeFunctions } from "pino";
import type { SettingValues } from "../program/settings/settings.ts";
import { startLine } from "./open-line.ts";

/** Bytes of lines that are kept while they can't be written; further ones are lost. */
const maxKeptBytes = 1024 * 1024;

/** Whether the log is read on a terminal: the descriptor itself, because a thread's `process.stderr` is never one. */
export const isOnTerminal = (): boolean => isatty(2);

/**
 * Creates a logger of JSON lines on standard error, plain ones on a terminal. It writes synchronously, so that the last
 * lines are not lost. A log that can't be written, such as on a full disk, does not stop the service.
 */
export function createLogger(level: SettingValues["log_level"]): Logger {
  const lines = destination({ dest: 2, sync: true, maxLength: maxKeptBytes });
  lines.on("error", () => {});
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
