import type { QueueClock } from "../queue-clock.ts";
import { createItemMap } from "./item-map.ts";
import { type Complain, restMs, type Work } from "./work.ts";

/** Until when a lease lasts. */
export interface LeaseEnd {
  /** By the monotonic clock, which no step changes. */
  monotonic: number;
  /** By the machine's clock, which unlike the other goes on while the machine sleeps. */
  machine: number;
}

/**
 * Leases on claimed items, by the monotonic and the machine's clock: where these have parted, the machine may have slept
 * for longer than the lease. After a step of its clock, items in line are only claimed again.
 */
export interface Leases<T> {
  /** Returns the end of a lease that is taken now. */
  until(): LeaseEnd;
  take(items: readonly T[], until: LeaseEnd): void;
  /** Whether the lease is still valid: after a pause of the process or the machine, another worker may have the item. */
  holds(item: T): boolean;
  drop(item: T): void;
  /**
   * Renews the leases on claimed items after every third of their length, and after a failure as soon as the storage can.
   * The returned function ends this, and waits for a renewal under way.
   */
  keep(): () => Promise<void>;
}

const over: LeaseEnd = { monotonic: Number.NEGATIVE_INFINITY, machine: Number.NEGATIVE_INFINITY };

export function createLeases<T>(
  work: Pick<Work<T, unknown>, "leaseMs" | "renew">,
  inHand: () => readonly T[],
  { clock, complain }: { clock: Pick<QueueClock, "monotonic" | "machine">; complain: Complain },
): Leases<T> {
  const ends = createItemMap<T, LeaseEnd>();
  const until = (): LeaseEnd => ({
    monotonic: clock.monotonic() + work.leaseMs,
    machine: clock.machine() + work.leaseMs,
  });

  /** Resolves to whether the storage took it. */
  async function renew(): Promise<boolean> {
    const items = inHand();
    if (work.renew === undefined || items.length === 0) return true;
    const end = until();
    try {
      const renewed = new Set(await work.renew(items));
      // The others are in the storage no more: another worker has taken them over, however this process counted the time.
      for (const item of items) if (ends.has(item)) ends.set(item, renewed.has(item) ? end : over);
      return true;
    } catch (error) {
      complain("renewing")(error);
      return false;
    }
  }

  return {
    until,
    take(items, end) {
      for (const item of items) ends.set(item, end);
    },
    holds(item) {
      const end = ends.get(item) ?? over;
      return end.monotonic > clock.monotonic() && end.machine > clock.machine();
    },
    drop: ends.delete,
    keep() {
      let renewing: Promise<void> = Promise.resolve();
      let again: NodeJS.Timeout | undefined;
      let isOver = false;
      const third = work.leaseMs / 3;
      const begin = (): void => {
        renewing = renew().then((isTaken) => {
          clearTimeout(again);
          if (!isTaken && !isOver) again = setTimeout(begin, Math.min(restMs, third));
        });
      };
      const timer = setInterval(begin, third);
      return () => {
        isOver = true;
        clearInterval(timer);
        clearTimeout(again);
        return renewing;
      };
    },
  };
}
