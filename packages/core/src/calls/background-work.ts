import { setImmediate } from "node:timers";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../ports/logger.ts";

/** Work that calls leave for after their answer. */
export interface BackgroundWork {
  /**
   * Queues work, which is done soon, one item after another. Throws `rate_limited` if the queue is full. A failure is
   * logged and affects no other item.
   */
  add(work: () => Promise<unknown>): void;
  /** Resolves once the queue is empty. */
  settled(): Promise<void>;
}

/** Creates the queue, which holds at most `size` items. */
export function createBackgroundWork(logger: Logger, size = 200): BackgroundWork {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add(work) {
      if (waiting >= size) throw new ServiceError("rate_limited", { retryAfter: 1 });
      waiting += 1;
      last = last.then(async () => {
        // Lets the response be sent first.
        await new Promise((resolve) => setImmediate(resolve));
        try {
          await work();
        } catch (error) {
          logger.error({ err: error }, "work after a response failed");
        } finally {
          waiting -= 1;
        }
      });
    },
    settled: () => last,
  };
}
