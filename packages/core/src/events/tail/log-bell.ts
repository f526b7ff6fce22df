import type { Storage } from "../../ports/storage.ts";

/** Ms after which the log is read without a notification, for example because the listening connection was lost. */
const net = 1_000;

/** A signal that there may be new events. */
export interface LogBell {
  /** Resolves at the next signal, at once if there was one since the last wait, and after a second without one. */
  wait(): Promise<void>;
  /** Resolves after that many ms. Signals meanwhile are kept. */
  rest(ms: number): Promise<void>;
  /** Ends all waits, for good. */
  close(): void;
}

/** Creates a bell for a storage's new events. */
export function createLogBell(storage: Pick<Storage, "subscribe">): LogBell {
  let rang = false;
  let isClosed = false;
  let wake: (() => void) | undefined;
  let isResting = false;
  const unsubscribe = storage.subscribe((topic) => {
    if (topic !== "events") return;
    rang = true;
    if (!isResting) wake?.();
  });
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    async wait() {
      if (!rang && !isClosed) await sleep(net);
      rang = false;
      wake = undefined;
    },
    async rest(ms) {
      if (ms <= 0 || isClosed) return;
      isResting = true;
      await sleep(ms);
      isResting = false;
      wake = undefined;
    },
    close() {
      isClosed = true;
      unsubscribe();
      wake?.();
    },
  };
}
