import type { Clock } from "../ports/clock.ts";
import type { Storage } from "../ports/storage.ts";

/** Ms after which the database's clock is read again, in the background. */
const freshMs = 30_000;

/**
 * The database's clock without a query for each reading: its offset from this process's monotonic clock is stored.
 * Steps of this machine's clock, and other machines' clocks, do not change it.
 */
export interface QueueClock {
  /** Ms since the epoch; by the machine's clock until the database was first asked. */
  now(): number;
  /** Elapsed ms, unaffected by changes of any clock. */
  monotonic(): number;
  /** Reads the database's clock. Resolves to the ms by which it stepped since the last reading, 0 the first time. */
  ask(): Promise<number>;
  /** Reads the database's time, ignoring the stored offset. */
  exact(): Promise<number>;
}

export function createQueueClock(storage: Pick<Storage, "now">, clock: Clock): QueueClock {
  const monotonic = (): number => clock.monotonic?.() ?? performance.now();
  /** The database's time at zero of the monotonic clock. */
  let zero: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<number> | undefined;

  async function measure(): Promise<number> {
    const begun = monotonic();
    askedAt = begun;
    const there = await storage.now();
    const found = there - (begun + monotonic()) / 2;
    const step = zero === undefined ? 0 : found - zero;
    zero = found;
    return step;
  }

  const ask = (): Promise<number> => {
    asking ??= measure().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    monotonic,
    ask,
    exact: () => storage.now(),
    now() {
      if (monotonic() - askedAt > freshMs) void ask().catch(() => {});
      return Math.round(zero === undefined ? clock.now() : monotonic() + zero);
    },
  };
}
