import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { everyRoute, restoredCopyFact, restoredReason } from "../../ports/storage.ts";
import { findRestoredCopy } from "../restored-copy.ts";

/** Waiting e-mails in a restored database, as counts. */
export interface RestoredQueue {
  /** Due e-mails, including those that workers had claimed when the copy was made: they may have been sent since. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** When the oldest due e-mail fell due, ms since the epoch. */
  oldestDueAt: number | undefined;
}

/**
 * Treats the database as a restored copy, for example of pg_restore: pauses all delivery until `resume`, assigns none of
 * the ids that the original may have assigned since, and returns how many e-mails wait. Call it before anything delivers.
 * Copies made by `posthorn backup` are paused already.
 */
export const checkRestored = useCase({
  access: "administrator",
  input: z.strictObject({}),
  async run({ storage, runtime, emit }): Promise<RestoredQueue> {
    const now = runtime.queueClock.now();
    const at = new Date(now).toISOString();
    const reason = restoredReason(at);
    // Before the fact, as `resume` does: each waits for the other, and of two such calls the second finds all done.
    const isPaused = await storage.emailQueue.park(
      { route: everyRoute, owner: "operator", until: undefined, reason },
      now,
    );
    if (isPaused) emit("queue.paused", { metadata: { route: everyRoute, reason } });
    if ((await findRestoredCopy(storage)) === undefined) {
      await storage.operations.replaceFact(restoredCopyFact, at);
      await storage.operations.skipIds();
    }
    const { due, waiting, leased, oldestDueAt } = await storage.emailQueue.status(now);
    return { due: due + leased, waiting, oldestDueAt };
  },
});
