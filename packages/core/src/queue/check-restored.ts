import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { everyRoute, restoredCopyFact, restoredReason } from "../ports/storage.ts";
import { findRestoredCopy } from "./restored-copy.ts";

/** What waits in a database that was restored, in e-mails. */
export interface RestoredQueue {
  /** Due, or in a worker's hands when the copy was made: what may have been sent since. */
  due: number;
  /** Due later. */
  waiting: number;
  /** When the longest-due e-mail fell due, ms since the epoch. */
  oldestDueAt: number | undefined;
}

/**
 * Treats the database as a restored copy, such as by pg_restore: holds all delivery until `resume`, and returns how many e-mails wait. Call
 * it before anything delivers. Copies made by `posthorn backup` are held already.
 */
export const checkRestored = useCase({
  access: "administrator",
  input: z.strictObject({}),
  async run({ storage, runtime, emit }): Promise<RestoredQueue> {
    const now = runtime.queueClock.now();
    const at = new Date(now).toISOString();
    if ((await findRestoredCopy(storage)) === undefined) {
      await storage.operations.replaceFact(restoredCopyFact, at);
      await storage.emailQueue.park({ route: everyRoute, until: undefined, reason: restoredReason(at) }, now);
      emit("queue.paused", { metadata: { route: everyRoute } });
    }
    const { due, waiting, leased, oldestDueAt } = await storage.emailQueue.status(now);
    return { due: due + leased, waiting, oldestDueAt };
  },
});
