import { createItemMap } from "./item-map.ts";
import type { Complain, Work } from "./work.ts";

/** Leases on claimed items, by the monotonic clock, so that clock steps don't change them. */
export interface Leases<T> {
  /** Returns the end of a lease that is taken now. */
  until(): number;
  take(items: readonly T[], until: number): void;
  /** Whether the lease is still valid: after a pause of the process, another worker may have the item. */
  holds(item: T): boolean;
  drop(item: T): void;
  /**
   * Renews the leases on claimed items after every third of their length. The returned function ends this, and waits
   * for a renewal under way.
   */
  keep(): () => Promise<void>;
}

export function createLeases<T>(
  work: Pick<Work<T, unknown>, "leaseMs" | "renew">,
  inHand: () => readonly T[],
  { monotonic, complain }: { monotonic(): number; complain: Complain },
): Leases<T> {
  const ends = createItemMap<T, number>();
  const until = (): number => monotonic() + work.leaseMs;

  async function renew(): Promise<void> {
    const items = inHand();
    if (work.renew === undefined || items.length === 0) return;
    const end = until();
    try {
      for (const item of await work.renew(items)) if (ends.has(item)) ends.set(item, end);
    } catch (error) {
      complain("renewing")(error);
    }
  }

  return {
    until,
    take(items, end) {
      for (const item of items) ends.set(item, end);
    },
    holds: (item) => (ends.get(item) ?? 0) > monotonic(),
    drop: ends.delete,
    keep() {
      let renewing: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        renewing = renew();
      }, work.leaseMs / 3);
      return () => {
        clearInterval(timer);
        return renewing;
      };
    },
  };
}
