import type { Erasure } from "../ports/storage.ts";
import { createFirstComeLine } from "../queue/first-come-line.ts";
import { createWorkLoop, type WorkLoop } from "../queue/work-loop.ts";
import type { Runtime } from "../service/runtime.ts";
import { continueErasure } from "./continue-erasure.ts";

/** Ms until what was in a worker's hands is looked at again. */
const soonMs = 5_000;
/** Contents that are looked at in one transaction. */
const unusedAtOnce = 100;

/** Erases recipients, piece by piece; whoever is killed is followed by another where the last piece ended. */
export function createErasing(runtime: Runtime): WorkLoop {
  const { storage, queueClock, logger, config } = runtime;
  // Counted from each piece on: the erasure of a killed worker moves again as soon as its mails do.
  const { leaseMs } = config.worker;
  return createWorkLoop<Erasure, undefined>(
    {
      name: "erasures",
      slots: 1,
      batch: 1,
      leaseMs: 24 * 3_600_000,
      pollMs: config.worker.pollMs,
      line: createFirstComeLine(),
      async claim(limit) {
        const now = queueClock.now();
        const due = await storage.erasures.nextDueAt();
        return due === undefined || due > now ? [] : storage.erasures.take(now, now + leaseMs, limit);
      },
      async handle(erasure, signal) {
        let at: Erasure | "later" | undefined = erasure;
        while (typeof at === "object" && !signal.aborted) {
          erasure = at;
          at = await continueErasure(runtime, erasure, queueClock.now() + leaseMs);
          // Between two pieces everybody else has a turn.
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (at === undefined) {
          // Contents of the erased e-mails are removed at once and their pages given back, so that no word of them is left in the file.
          while (!signal.aborted && (await storage.contents.deleteUnused(unusedAtOnce)) === unusedAtOnce);
          await storage.reclaim({ all: true, stopped: () => signal.aborted });
        } else await storage.erasures.note(erasure, queueClock.now() + (at === "later" ? soonMs : 0));
        return undefined;
      },
      async settle() {},
      async release(erasures) {
        for (const one of erasures) await storage.erasures.note(one, queueClock.now());
      },
      nextDueAt: () => storage.erasures.nextDueAt(),
    },
    { clock: queueClock, logger },
  );
}
