import { createLogger, isOnTerminal } from "./create-logger.ts";
import type { Output } from "./output.ts";

/** What a long-running command tells at its start. */
export type Notices = Pick<Output, "note" | "warn">;

/**
 * Creates the notices of a command that logs. On a terminal they are lines for people; else they are lines of the log,
 * whatever its level, so that whoever collects it can read every line as JSON.
 */
export function createNotices(output: Output): Notices {
  if (isOnTerminal()) return output;
  const logger = createLogger("info");
  // What is aligned with other lines on a terminal stands alone here. A blank ends an address, for whoever takes it from
  // the line by a pattern such as /Listening on (\S+)/.
  const asMessage = (text: string): string => text.replace(/ +/g, " ").replace(/:\/\/\S+$/, "$& ");
  return {
    note: (text) => logger.info({}, asMessage(text)),
    warn: (text) => logger.warn({}, asMessage(text)),
  };
}
