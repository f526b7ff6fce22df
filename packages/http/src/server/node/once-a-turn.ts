import { setImmediate } from "node:timers";

/**
 * Returns a function that has `run` called in the next turn of the event loop, once however often it is called before
 * that.
 */
export function onceATurn(run: () => void): () => void {
  let isScheduled = false;
  const begin = (): void => {
    isScheduled = false;
    run();
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(begin);
  };
}
