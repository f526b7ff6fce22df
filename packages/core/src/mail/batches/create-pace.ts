import type { ReadContext } from "../../calls/use-case.ts";

/** Maximum number of items, and of ms, between two pauses. */
const most = { steps: 200, ms: 15 };

/**
 * Called after each of thousands of items. It pauses after the first, because the whole request was parsed just before,
 * and then every 200 items, or sooner if they are slow.
 */
export type Pace = () => Promise<void> | undefined;

export function createPace({ pause }: Pick<ReadContext, "pause">): Pace {
  let steps = most.steps;
  let since = performance.now();
  return () => {
    steps += 1;
    if (steps < most.steps && performance.now() - since < most.ms) return undefined;
    steps = 0;
    return pause()?.then(() => {
      since = performance.now();
    });
  };
}
