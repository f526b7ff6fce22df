import { StorageUnavailable, type TransactionHolder } from "@posthorn/core/storage";

/** Waits for a place; the returned function gives it back. */
export type EnterPlace = (holder?: TransactionHolder) => Promise<() => void>;

export interface PlaceLimits {
  /** Number of places. */
  all: number;
  /** Number of places that one holder may have at once. Default: all. */
  each?: number;
  /** Ms after which whoever still waits is refused; 0, as for PostgreSQL's own time-outs: never. */
  waitMs: number;
}

/** Longest time of a timer: a longer one would end at once. */
const maxWaitMs = 2 ** 31 - 1;

/** A holder's places, and those who wait for another one, the longest first. */
interface Line {
  held: number;
  waiting: Set<() => void>;
}

/**
 * Limits what is under way at once, in all and for each holder, so that connections stay free for all else: otherwise a
 * tenant's lists would delay every look-up of others' keys, and its changes every send. Holders take turns.
 */
export const createPlaces = ({ all, each = all, waitMs }: PlaceLimits): EnterPlace => {
  let held = 0;
  /** Of all who have or want a place. The one whose turn is next comes first. */
  const lines = new Map<TransactionHolder | undefined, Line>();

  const isFree = (line: Line): boolean => held < all && line.held < each;
  const take = (line: Line): void => {
    held += 1;
    line.held += 1;
  };
  const forgetIfUnused = (holder: TransactionHolder | undefined, line: Line): void => {
    if (line.held === 0 && line.waiting.size === 0 && lines.get(holder) === line) lines.delete(holder);
  };
  const fill = (): void => {
    for (const [holder, line] of lines) {
      // Thousands may wait.
      if (held >= all) return;
      const [next] = line.waiting;
      if (next === undefined || !isFree(line)) continue;
      line.waiting.delete(next);
      take(line);
      // Behind all others, where this loop comes to it again.
      lines.delete(holder);
      lines.set(holder, line);
      next();
    }
  };
  const wait = async ({ waiting }: Line): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const refuse = (): void => {
      waiting.delete(resolve);
      reject(new StorageUnavailable("others' work on PostgreSQL did not end in time"));
    };
    const timer = waitMs === 0 ? undefined : setTimeout(refuse, Math.min(waitMs, maxWaitMs));
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  };

  return async (holder) => {
    const line = lines.get(holder) ?? { held: 0, waiting: new Set() };
    lines.set(holder, line);
    if (isFree(line)) take(line);
    else
      try {
        await wait(line);
      } catch (error) {
        forgetIfUnused(holder, line);
        throw error;
      }
    return () => {
      held -= 1;
      line.held -= 1;
      forgetIfUnused(holder, line);
      fill();
    };
  };
};
