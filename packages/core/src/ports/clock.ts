/** A source of time, which tests can replace. */
export interface Clock {
  /** Whole milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Elapsed ms since an arbitrary start, unaffected by changes of the machine's clock. Default: the process's own
   * monotonic clock.
   */
  monotonic?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Longest time of a timer, in ms: a longer one would end at once. */
export const maxTimerMs = 2 ** 31 - 1;
