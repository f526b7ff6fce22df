/** Tells the time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds that have passed since some moment, whatever is done to the machine's clock; by default the process's own measure. */
  monotonic?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
