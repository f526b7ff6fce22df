/** A logger in pino's shape: an object of fields first, then the message. Never given a secret. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** Says nothing: the default of the embedded library. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
