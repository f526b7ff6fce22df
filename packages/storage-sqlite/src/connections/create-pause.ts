import { setImmediate } from "node:timers";

/** The driver blocks the thread: after this time, others may run. */
const sliceMs = 20;

/**
 * Creates the pause between the steps of long work: after 20 ms on the thread, it returns a promise for the next turn
 * of the event loop, if it may pause at all.
 */
export const createPause = (mayPause: () => boolean): (() => Promise<void> | undefined) => {
  let since: number | undefined;
  return () => {
    if (!mayPause()) return undefined;
    const now = performance.now();
    if (since === undefined) {
      since = now;
      setImmediate(() => {
        since = undefined;
      });
    }
    return now - since < sliceMs ? undefined : new Promise((resolve) => setImmediate(resolve));
  };
};
