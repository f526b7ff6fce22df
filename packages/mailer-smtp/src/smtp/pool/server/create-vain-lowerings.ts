/** What lowering the rate changes. */
export interface VainLowerings {
  accepted(): void;
  /** Counts a refusal; returns whether it tells nothing of the rate. */
  refused(now: number): boolean;
  /** Call when the rate is lowered; returns the one to go back to if that was in vain. */
  lowered(from: number, to: number, now: number): number | undefined;
}

/**
 * Lowerings in vain, and to what part of the first rate: at a limit, the server would refuse little after one or two. Only while
 * it refuses no more than half: beyond that, the rate may still be far too high.
 */
const inVain = 4;
const mostKnown = 8;
const vainPart = 0.4;
const leastRefused = 0.1;
const mostRefused = 0.5;
/** It is no longer found that it was in vain beyond this share. */
const clearlyMore = 0.65;
/** The share of refusals is that of about so many messages. */
const shareOf = 16;
/** Refusals in a row by which the server has stopped, rather than refuses some. */
const longestRun = 8;
/** Ms between two lowerings that count: a rate is what was accepted in a second. */
const second = 1000;
/** Ms for which refusals then tell nothing of the rate. */
const memory = 60_000;

/** Finds out whether the server refuses some messages whatever the rate is. Times are in ms of any monotonic clock. */
export function createVainLowerings(): VainLowerings {
  let share = mostRefused;
  let run = 0;
  let taken = 0;
  /** The last ones: when, from what, and after how many accepted messages. */
  let lowerings: { at: number; rate: number; taken: number }[] = [];
  let until = Number.NEGATIVE_INFINITY;

  return {
    accepted() {
      run = 0;
      taken += 1;
      share -= share / shareOf;
    },
    refused(now) {
      run += 1;
      share += (1 - share) / shareOf;
      if (share > mostRefused) lowerings = [];
      if (share > clearlyMore || run > longestRun) until = Number.NEGATIVE_INFINITY;
      return now < until;
    },
    lowered(from, to, now) {
      if (share < leastRefused) lowerings = [];
      const last = lowerings.at(-1);
      if (last !== undefined && now - last.at < second) return undefined;
      lowerings.push({ at: now, rate: from, taken });
      const [first] = lowerings;
      if (lowerings.length < inVain || first === undefined) return undefined;
      if (lowerings.length === mostKnown) lowerings.shift();
      if (taken - first.taken < shareOf || to > first.rate * vainPart) return undefined;
      lowerings = [];
      until = now + memory;
      return first.rate;
    },
  };
}
