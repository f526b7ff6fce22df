/** The driver blocks the thread: after so long, others get it. */
const sliceMs = 20;

/**
 * What long work calls between its steps: where it has held the thread for 20 ms, it answers a promise for the next turn of the event
 * loop, as long as it may pause at all.
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
