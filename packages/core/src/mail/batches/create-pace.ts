import type { Sending } from "../submission/sending-facility.ts";

/** Items gone through in one go, and ms: others have the thread then. */
const most = { steps: 200, ms: 15 };

/** What work on thousands of items calls after each of them: pauses after the first, which follows what was read whole, then every 200, and sooner where they take long. */
export type Pace = () => Promise<void> | undefined;

export function createPace({ pause }: Pick<Sending, "pause">): Pace {
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
