import { aliveMs } from "../../../queue/heartbeat.ts";
import type { Runtime } from "../../../service/runtime.ts";

/** Ms after which the workers are counted again. */
const freshMs = 5_000;

/**
 * Creates a function that resolves to this process's equal share of a limit for all workers together, at least 1. The
 * workers are counted first: the mails of a batch begin at once in every process.
 */
export function createWorkerShare({
  storage,
  queueClock,
  logger,
}: Pick<Runtime, "storage" | "queueClock" | "logger">): (most: number) => Promise<number> {
  let workers = 1;
  let counted = Promise.resolve();
  let countedAt = Number.NEGATIVE_INFINITY;

  async function count(): Promise<void> {
    try {
      const alive = await storage.operations.listWorkers((await storage.now()) - aliveMs);
      workers = Math.max(1, alive.length);
    } catch (error) {
      logger.warn({ err: error }, "the workers could not be counted");
    }
  }

  return async (most) => {
    const now = queueClock.monotonic();
    if (now - countedAt >= freshMs) {
      countedAt = now;
      counted = count();
    }
    await counted;
    return Math.max(1, Math.floor(most / workers));
  };
}
