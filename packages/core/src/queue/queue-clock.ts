import type { Clock } from "../ports/clock.ts";
import type { Storage } from "../ports/storage.ts";

/** Ms after which the database's clock is asked again, in the background. */
const freshMs = 30_000;

/**
 * The database's clock, told without asking it each time: by how far it was from this process's monotonic clock when it was last asked.
 * Neither a step of this machine's clock nor another machine's clock moves it.
 */
export interface QueueClock {
  /** Ms since the epoch; by the machine's clock until the database was first asked. */
  now(): number;
  /** Ms that have passed, whatever any clock says. */
  monotonic(): number;
  /** Asks the database; by how many ms its clock stepped since it was last asked, 0 the first time. */
  ask(): Promise<number>;
  /** The database's time as of now, whatever is known of it here. */
  exact(): Promise<number>;
}

export function createQueueClock(storage: Pick<Storage, "now">, clock: Clock): QueueClock {
  const monotonic = (): number => clock.monotonic?.() ?? performance.now();
  /** The database's time at the monotonic clock's zero. */
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
