/** A logger in pino's shape: an object of fields first, then the message. Never given a secret. */
export interface Logger {
  /** What only helps to find a fault. */
  debug(fields: object, message: string): void;
  /** What an operator may want to know: requests, attempts. */
  info(fields: object, message: string): void;
  /** What went wrong and mends itself. */
  warn(fields: object, message: string): void;
  /** What somebody has to look at. */
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** Says nothing: the default of the embedded library. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
