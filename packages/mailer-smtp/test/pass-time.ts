import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";

/**
 * Ends the real time, for `beforeEach` or a test: what is waited for in `passTime` takes none, and nothing else is ever late. The answer
 * begins it again.
 */
export function stopTime(): () => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return () => void vi.useRealTimers();
}

/**
 * Lets time pass until the work is done, from `since` on, `stepMs` at a time. Between two steps sockets have several turns: what is on its
 * way gets there.
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
