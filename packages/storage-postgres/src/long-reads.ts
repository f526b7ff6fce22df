import { StorageUnavailable } from "@posthorn/core/storage";

/** Waits for a place to read for long; the returned function gives it back, to whoever waits longest. */
export type EnterLongRead = () => Promise<() => void>;

/**
 * Limits how many reads that may be long are under way at once, so that they never take the connections of short ones:
 * a tenant's lists would otherwise delay every look-up of others' keys. After `waitMs` a read is refused.
 */
export const createLongReads = (atMost: number, waitMs: number): EnterLongRead => {
  let underWay = 0;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) underWay -= 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  return async () => {
    if (underWay < atMost) {
      underWay += 1;
      return leave;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(new StorageUnavailable("other long reads did not end in time"));
    }, waitMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
    return leave;
  };
};
