/** The paces of endpoints, each with the longest attempt in ms that keeps an endpoint there. */
const longestMs = [250, 2_500, Number.POSITIVE_INFINITY] as const;

/** The paces, the promptest first: those of attempts up to 250 ms, up to 2.5 s, and longer. */
export const paces: readonly number[] = longestMs.map((_, pace) => pace);

/** The pace of endpoints whose attempts take longer than all others'. */
export const slowestPace = longestMs.length - 1;

/** The pace of an endpoint that has had no attempt yet. */
export const unknownPace = 1;

/** Returns the pace of an attempt that took `ms`, or has taken it so far. */
export const paceOf = (ms: number): number => longestMs.findIndex((longest) => ms <= longest);

/**
 * Returns an endpoint's pace after attempts of which the longest took `ms`. It falls at once, and rises a step at a
 * time: an endpoint that stalls now and then does not hold the slots of prompt ones.
 */
export const nextPace = (pace: number, ms: number): number => Math.max(paceOf(ms), pace - 1);
