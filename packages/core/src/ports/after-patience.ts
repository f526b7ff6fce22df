import { maxTimerMs } from "./clock.ts";

/** Parts that a wait is counted in. */
const parts = 4;

/**
 * Calls `run` after so many ms in which this process could go on; returns the function that calls it off. A process finds
 * its timers elapsed before it reads what came while it stood still, because the machine gave it no time or other work
 * held the thread: of such a time only a quarter of the ms counts, so that nobody is refused for what was there all the
 * while.
 */
export function afterPatience(ms: number, run: () => void): () => void {
  let left = parts;
  let timer = wait();

  function wait(): NodeJS.Timeout {
    return setTimeout(
      () => {
        left -= 1;
        if (left === 0) run();
        else timer = wait();
      },
      Math.min(ms / parts, maxTimerMs),
    );
  }

  return () => clearTimeout(timer);
}
