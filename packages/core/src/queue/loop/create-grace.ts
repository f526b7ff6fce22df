import { isLocked } from "../../ports/is-locked.ts";
import { StorageUnavailable, Unconfirmed } from "../../ports/storage.ts";

/** The time in which expired claims are left to their owners. */
export interface Grace {
  /** When it began last, by the monotonic clock. */
  readonly begunAt: number;
  isOver(): boolean;
  /** Begins it anew. */
  begin(): void;
  /** Begins it anew if this work of the storage fails; resolves or rejects as that does. */
  watch<V>(work: Promise<V>): Promise<V>;
  /**
   * Does the same for a renewal or a settlement, unless it may be only that one's own: one row that others keep locked, or that is
   * damaged, fails it again and again while all else is written, and dead workers' claims would never be taken back.
   */
  watchWrite<V>(work: Promise<V>): Promise<V>;
}

/** Maximum ms that owners have to renew their claims, or settle them, once the storage takes writes again. */
const longestMs = 5_000;

/**
 * Creates the grace that owners of claims have after a failure of the storage and after this process's start: a claim
 * also expires if its owner could not renew it or record its results, because for that long the storage took no writes.
 * After the start it lasts `firstMs`, if that is longer.
 */
export function createGrace({
  leaseMs,
  firstMs = 0,
  monotonic,
}: {
  leaseMs: number;
  firstMs?: number;
  monotonic(): number;
}): Grace {
  const graceMs = Math.min(longestMs, leaseMs);
  // What was before this process is unknown to it, such as an outage that it was restarted for.
  let begunAt = monotonic();
  const firstEnd = begunAt + firstMs;
  const begin = (): void => {
    begunAt = monotonic();
  };
  let wroteAt = begunAt;
  // Locks on whole tables keep owners from renewing, too: they show by nothing being written.
  const mayBeOwn = (error: unknown): boolean =>
    (isLocked(error) || !(error instanceof StorageUnavailable || error instanceof Unconfirmed)) &&
    monotonic() - wroteAt < leaseMs / 2;
  return {
    get begunAt() {
      return begunAt;
    },
    isOver: () => monotonic() >= Math.max(begunAt + graceMs, firstEnd),
    begin,
    watch: (work) =>
      work.catch((error: unknown) => {
        begin();
        throw error;
      }),
    async watchWrite(work) {
      try {
        const done = await work;
        wroteAt = monotonic();
        return done;
      } catch (error) {
        if (!mayBeOwn(error)) begin();
        throw error;
      }
    },
  };
}
