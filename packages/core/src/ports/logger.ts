/** A logger with pino's interface: an object of fields first, then the message. It is never passed a secret. */
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
 * Returns a logger that never fails. A host's may, as pino's does once its transport has ended: a line of ours would
 * then end the process, or the work that it tells of.
 */
export function unfailingLogger(logger: Logger): Logger {
  const line =
    (level: keyof Logger) =>
    async (fields: object, message: string): Promise<void> => {
      try {
        await logger[level](fields, message);
      } catch {
        // There is nowhere else to tell it.
      }
    };
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}
