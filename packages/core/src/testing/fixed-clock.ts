import type { Clock } from "../ports/clock.ts";

/** A clock that stands still until it is told otherwise. */
export interface FixedClock extends Clock {
  /** Sets the clock to ms since the epoch, or to an ISO 8601 time, which passes; all time is taken back where it is earlier. */
  set(time: number | string): void;
  /** Moves the clock on by so many ms, which pass; less than 0 takes them back, as if they never had. */
  advance(ms: number): void;
  /** Sets the clock forward or back by so many ms, without any passing: what an administrator or a time server does. */
  step(ms: number): void;
  monotonic(): number;
}

/** A clock for tests; begins at 2030-01-01T12:00:00Z unless told otherwise. */
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
