import type { Clock } from "../ports/clock.ts";

/** A clock that stands still until a test changes it. */
export interface FixedClock extends Clock {
  /**
   * Sets the clock to ms since the epoch, or to an ISO 8601 time. The monotonic time changes by the same difference,
   * back as well as forward.
   */
  set(time: number | string): void;
  /** Advances the clock and the monotonic time by this many ms; a negative number takes them back. */
  advance(ms: number): void;
  /**
   * Steps the clock forward or back by this many ms without elapsed time, as an administrator or a time server does.
   */
  step(ms: number): void;
  monotonic(): number;
}

/** Creates a clock for tests. It begins at 2030-01-01T12:00:00Z by default. */
export function createFixedClock(start: number | string = "2030-01-01T12:00:00.000Z"): FixedClock {
  const read = (time: number | string): number => (typeof time === "string" ? Date.parse(time) : time);
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
