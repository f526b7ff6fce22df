/**
 * Submissions of a batch between which it is worth being larger: its fixed cost then is a large part of each, and
 * several callers ask again and again.
 */
const worthIt = { from: 3, to: 23 };
/** Longest wait, in ms. */
const maxMs = 10;
/** How much slower the fastest known commit counts with each further one, so that an old one is soon forgotten. */
const fading = 1.01;

/** Lets batches grow where commits are slow. */
export interface AwaitMore {
  /**
   * Call it after each commit with the number of submissions answered and of those that wait. Callers that were just
   * answered often ask again at once: resolves when as many more wait, or after the time by which the commit was slower
   * than the fastest recent one. On a machine and database with time to spare, that is nearly none.
   */
  after(commit: { tookMs: number; answered: number; waiting: number }): Promise<void>;
  /** Call it with the number that wait when one more does. */
  arrived(waiting: number): void;
}

export function createAwaitMore(): AwaitMore {
  let fastestMs = Number.POSITIVE_INFINITY;
  let awaited: { count: number; resolve: () => void } | undefined;
  return {
    async after({ tookMs, answered, waiting }) {
      fastestMs = Math.min(tookMs, fastestMs * fading);
      const ms = Math.min(tookMs - fastestMs, maxMs);
      if (waiting === 0 || answered < worthIt.from || answered > worthIt.to || ms < 1) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited = { count: waiting + answered, resolve };
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      awaited = undefined;
    },
    arrived(waiting) {
      if (awaited !== undefined && waiting >= awaited.count) awaited.resolve();
    },
  };
}
