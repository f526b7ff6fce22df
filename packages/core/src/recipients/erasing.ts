import type { Erasure } from "../ports/storage.ts";
import { createFirstComeLine } from "../queue/loop/first-come-line.ts";
import { createWorkLoop, type WorkLoop } from "../queue/loop/work-loop.ts";
import { pauseAfter } from "../queue/pause-after.ts";
import type { Runtime } from "../service/runtime.ts";
import { continueErasure } from "./continue-erasure.ts";

/** Ms until e-mails that workers had claimed are tried again. */
const soonMs = 5_000;
/** Ms for which one person is erased before the next has a turn. */
const turnMs = 1_000;

/**
 * Creates the work loop that erases recipients in steps. If its process is killed, another worker continues after the
 * last complete step.
 */
export function createErasing(runtime: Runtime): WorkLoop {
  const { storage, queueClock, logger, config } = runtime;
  // The lease counts from each step, so that another worker continues soon after a process was killed.
  const { leaseMs } = config.worker;
  const line = createFirstComeLine<Erasure>();
  const loop = createWorkLoop<Erasure, undefined>(
    {
      name: "erasures",
      slots: 1,
      batch: 1,
      leaseMs: 24 * 3_600_000,
      pollMs: config.worker.pollMs,
      line,
      async claim(limit) {
        const now = queueClock.now();
        const due = await storage.erasures.nextDueAt();
        return due === undefined || due > now ? [] : storage.erasures.take(now, now + leaseMs, limit);
      },
      async handle(erasure, { signal }) {
        const turnEndsAt = performance.now() + turnMs;
        let at: Erasure | "later" | undefined = erasure;
        while (typeof at === "object" && !signal.aborted) {
          erasure = at;
          const begun = performance.now();
          at = await continueErasure(runtime, erasure, queueClock.now() + leaseMs);
          await pauseAfter(performance.now() - begun);
          const isWithdrawn = erasure.stage === "emails" && typeof at === "object" && at.stage !== "emails";
          if (isWithdrawn || performance.now() > turnEndsAt) break;
        }
        if (at === undefined) {
          // The pages of what was removed are freed, so that no text remains in the file: of several, after the last one.
          await storage.reclaim({ all: true, stopped: () => signal.aborted || line.ready > 0 });
        } else if (at === "later")
          await storage.erasures.note({ ...erasure, cursor: "" }, queueClock.now() + soonMs);
        else {
          await storage.erasures.note(at, queueClock.now());
          loop.wake();
        }
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
  return loop;
}
