import type { Logger } from "./logger.ts";

/** Ms for which a failure that was told is only counted. */
const silentMs = 60_000;
/** Failures that are known at once; the one that was told first is forgotten for another. */
const mostKnown = 100;

interface Told {
  at: number;
  repeated: number;
}

/**
 * Returns a logger that tells the same failure of work in the background once a minute, and how often it was `repeated`
 * since: while the disk is full or the database is away, each try fails, several times a second. What is about one
 * request or e-mail has fields of its own beside `err`, and is always told.
 */
export function sparingLogger(logger: Logger, monotonic: () => number): Logger {
  const known = new Map<string, Told>();
  const line =
    (level: "warn" | "error") =>
    (fields: { err?: unknown }, message: string): void => {
      if (fields.err === undefined || Object.keys(fields).length > 1) {
        logger[level](fields, message);
        return;
      }
      const key = `${message}\n${fields.err instanceof Error ? fields.err.message : String(fields.err)}`;
      const now = monotonic();
      const before = known.get(key);
      if (before !== undefined && now - before.at < silentMs) {
        before.repeated += 1;
        return;
      }
      known.delete(key);
      known.set(key, { at: now, repeated: 0 });
      if (known.size > mostKnown) known.delete(known.keys().next().value ?? "");
      const repeated = before?.repeated ?? 0;
      logger[level](repeated === 0 ? fields : { ...fields, repeated }, message);
    };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: line("warn"),
    error: line("error"),
  };
}
