/** Collects things that arrive, and lets callers wait for them. */
export interface Arrivals<T> {
  add(one: T): void;
  /** Returns the first item that matches, also if it arrived before the call; rejects after `timeoutMs`. */
  waitFor(what: string, matches: (one: T) => boolean, timeoutMs?: number): Promise<T>;
}

export function createArrivals<T>(): Arrivals<T> {
  const arrived: T[] = [];
  const waiting = new Set<(one: T) => void>();
  return {
    add(one) {
      arrived.push(one);
      for (const hear of [...waiting]) hear(one);
    },
    waitFor(what, matches, timeoutMs = 10_000) {
      const found = arrived.find(matches);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve, reject) => {
        const hear = (one: T): void => {
          if (!matches(one)) return;
          waiting.delete(hear);
          clearTimeout(timer);
          resolve(one);
        };
        const timer = setTimeout(() => {
          waiting.delete(hear);
          reject(new Error(`${what} did not arrive within ${timeoutMs / 1_000} s`));
        }, timeoutMs);
        // The servers keep the process running until something arrives; once they are closed, nobody waits.
        timer.unref();
        waiting.add(hear);
      });
    },
  };
}
