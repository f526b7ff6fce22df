import type { Clock } from "../ports/clock.ts";

/** A clock that stands still until it is told otherwise. */
export interface FixedClock extends Clock {
  /** Sets the clock to ms since the epoch, or to an ISO 8601 time. */
  set(time: number | string): void;
  /** Moves the clock on by so many ms. */
  advance(ms: number): void;
}

/** A clock for tests; begins at 2030-01-01T12:00:00Z unless told otherwise. */
export function createFixedClock(start: number | string = "2030-01-01T12:00:00.000Z"): FixedClock {
  const read = (time: number | string): number => (typeof time === "string" ? Date.parse(time) : time);
  let now = read(start);
  return {
    now: () => now,
    set(time) {
      now = read(time);
    },
    advance(ms) {
      now += ms;
    },
  };
}
