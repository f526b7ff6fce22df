import type { Clock } from "../ports/clock.ts";

/** A clock that stands still until a test changes it. */
export interface FixedClock extends Clock {
  /**
   * Sets the clock to a `Date`, ms since the epoch, or an ISO 8601 time. The monotonic time changes by the same
   * difference, back as well as forward. Throws a `TypeError` for anything else.
   */
  set(this: void, time: Date | number | string): void;
  /** Advances the clock and the monotonic time by this many ms; a negative number takes them back. */
  advance(this: void, ms: number): void;
  /**
   * Steps the clock forward or back by this many ms without elapsed time, as an administrator or a time server does.
   */
  step(this: void, ms: number): void;
  monotonic(this: void): number;
}

/**
 * Creates a clock for tests, which begins at a `Date`, ms since the epoch, or an ISO 8601 time; by default at
 * 2030-01-01T12:00:00Z. `createWorld` makes the storage follow it, too: elsewhere the database's clock says what is
 * due. Throws a `TypeError` for anything that is no time.
 */
export function createFixedClock(start: Date | number | string = "2030-01-01T12:00:00.000Z"): FixedClock {
  let now = read(start);
  let passed = 0;
  const move = (ms: number): void => {
    now += ms;
    passed += ms;
  };
  return {
    now: () => now,
    monotonic: () => passed,
    set: (time) => move(read(time) - now),
    advance: move,
    step(ms) {
      now += ms;
    },
  };
}

function read(time: Date | number | string): number {
  const ms = typeof time === "string" ? Date.parse(time) : Number(time);
  if (!Number.isFinite(ms))
    throw new TypeError(
      `a clock is set to a Date, ms since the epoch or an ISO 8601 time, not to ${String(time)}`,
    );
  return ms;
}
