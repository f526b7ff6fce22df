import { ServiceError } from "../errors.ts";
import type { Logger } from "../ports/logger.ts";

/** Work of calls that have been answered already. */
export interface Afterwards {
  /** Has work done soon, each after the one before. Throws `rate_limited` where too much waits. A failure is logged, and nobody else's. */
  add(work: () => Promise<unknown>): void;
  /** Resolves once nothing waits. */
  settled(): Promise<void>;
}

/** Makes the queue; it holds at most `size` pieces of work. */
export function createAfterwards(logger: Logger, size = 200): Afterwards {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add(work) {
      if (waiting >= size) throw new ServiceError("rate_limited", { retryAfter: 1 });
      waiting += 1;
      last = last.then(async () => {
        // The answer goes out first.
        await new Promise((resolve) => setImmediate(resolve));
        try {
          await work();
        } catch (error) {
          logger.error({ err: error }, "what was to follow an answer failed");
        } finally {
          waiting -= 1;
        }
      });
    },
    settled: () => last,
  };
}
