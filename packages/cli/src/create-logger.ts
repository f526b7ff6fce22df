import type { Logger } from "@posthorn/core";
import { destination, pino, stdTimeFunctions } from "pino";
import type { SettingValues } from "./settings.ts";

/** A logger of JSON lines on standard error. Writes at once, so that the last words before an end are not lost. */
export function createLogger(level: SettingValues["log_level"]): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 2, sync: true }),
  );
}
