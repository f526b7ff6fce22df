/** Reciprocal of the share of time that reads may take. */
const part = 100;
/** Duration in ms below which a read is not cached: it costs no more than any request. */
const cheapMs = 5;
/** Maximum ms for which a result is cached. */
const longestMs = 60_000;

/**
 * Caches an expensive read so that it takes at most a hundredth of the time, however often it is called: until the next
 * read it returns the last result. Calls during a read share its result. A failure is not cached.
 */
export function createCostCache<T>(
  ask: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let kept: { answer: T; until: number } | undefined;
  let asking: Promise<T> | undefined;

  async function askNow(): Promise<T> {
    const begun = now();
    const answer = await ask();
    const cost = now() - begun;
    kept = { answer, until: now() + (cost < cheapMs ? 0 : Math.min(longestMs, cost * part)) };
    return answer;
  }

  return async () => {
    if (kept !== undefined && now() < kept.until) return kept.answer;
    asking ??= askNow().finally(() => {
      asking = undefined;
    });
    return await asking;
  };
}
