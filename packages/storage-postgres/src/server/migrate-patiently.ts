import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@posthorn/core/storage";
import { isLockTimeout } from "../postgres-errors.ts";

/** Ms between two tries, in which those who waited behind the first one have their turn. */
const pauseMs = 3_000;
/** Ms after which it gives up. */
const patienceMs = 600_000;

/**
 * Repeats a migration that met tables locked by others, such as by a backup, for ten minutes: while it waits for them,
 * everybody else waits behind it, so each try is short.
 */
export const migratePatiently = async <T>(
  migrate: () => Promise<T>,
  logger: Pick<Logger, "warn">,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<T> => {
  for (const begun = performance.now(); ; ) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - begun > patienceMs) throw error;
      logger.warn(
        {},
        "a migration waits for tables that others use, such as a backup: it tries again every few seconds, for ten minutes",
      );
      await wait(pauseMs);
    }
  }
};
