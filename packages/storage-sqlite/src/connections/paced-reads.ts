import { setImmediate } from "node:timers";
import { createTurns, type Holder, StorageUnavailable } from "@posthorn/core/storage";

/** Ms that reads may take together before others' work has its turn. */
const sliceMs = 2;
/** Ms that a read may wait for its turn. */
const patienceMs = 10_000;

/** Runs a read that may be long on this thread. */
export type PacedReads = <R>(read: () => R | Promise<R>, holder: Holder) => Promise<R>;

/**
 * Lets reads on this thread take turns, by their holders, and leaves the thread to others' work after each few ms: a
 * send has a dozen steps, and would wait at each for all lists that were begun before.
 */
export function createPacedReads(): PacedReads {
  const turns = createTurns({
    all: 1,
    patience: { ms: patienceMs, error: () => new StorageUnavailable("the read waited too long") },
  });
  /** Ms of reads since others' work had its turn. */
  let used = 0;
  return async (read, holder) => {
    const leave = await turns.enter(holder);
    const begun = performance.now();
    try {
      return await read();
    } finally {
      used += performance.now() - begun;
      if (used < sliceMs) leave();
      else
        setImmediate(() => {
          used = 0;
          leave();
        });
    }
  };
}
