import { toldError } from "./told-error.ts";

/**
 * A logger with pino's interface: an object of fields first, then the message. It is never passed a secret. `err` is an
 * error with its causes, and of their fields only those that name no person.
 */
export interface Logger {
  /** Logs details for finding a fault. */
  debug(fields: object, message: string): void;
  /** Logs normal operation, such as requests and attempts. */
  info(fields: object, message: string): void;
  /** Logs a problem that resolves by itself. */
  warn(fields: object, message: string): void;
  /** Logs a problem that an operator must look at. */
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** A logger without output, the default of the embedded library. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Returns a logger that never fails, and is told of errors only what a log may hold (`toldError`). A host's may fail, as
 * pino's does once its transport has ended: a line of ours would then end the process, or the work that it tells of.
 */
export function unfailingLogger(logger: Logger): Logger {
  const line =
    (level: keyof Logger) =>
    async (fields: { err?: unknown }, message: string): Promise<void> => {
      try {
        const told = fields.err === undefined ? fields : { ...fields, err: toldError(fields.err) };
        await logger[level](told, message);
      } catch {
        // There is nowhere else to tell it.
      }
    };
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}
