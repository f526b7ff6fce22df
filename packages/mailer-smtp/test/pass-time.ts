import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";

/**
 * Stops the real time, for `beforeEach` or a test: waits in `passTime` take no time, and nothing else ever times out.
 * The returned function restores it.
 */
export function stopTime(): () => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return () => void vi.useRealTimers();
}

/**
 * Advances the time until the work is done, starting at `since`, by `stepMs` per step. Between two steps the event loop
 * turns several times, so that data in transmission arrives.
 */
export async function passTime<T>(
  work: Promise<T>,
  { stepMs, since }: { stepMs: number; since?: Promise<unknown> },
): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  await Promise.race([work, since]);
  while (!isDone) {
    for (let turns = 0; turns < 10; turns += 1) await turn();
    vi.advanceTimersByTime(stepMs);
  }
  return work;
}
