import { setImmediate } from "node:timers";
import { createTurns, type Holder } from "@posthorn/core/internal";

/** Length up to which a body is parsed at once: that takes some 3 ms at most. */
const shortBytes = 64 * 1024;
/** Bytes that may wait together: beyond that, bodies are parsed as they arrive. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** Steps of a send, each in another turn of the event loop. */
const stepsOfSend = 12;

/** Parses a body when its turn comes. */
export type BodyTurns = <T>(bytes: Uint8Array, holder: Holder, parse: () => T) => T | Promise<T>;

/**
 * Makes turns for parsing long bodies, of which 1 MB can take 50 ms: one at a time, by holder. After one that took n ms,
 * n turns of the event loop are left to other work. A send has several steps, and would wait at each for a long body.
 */
export function createBodyTurns(now: () => number = () => performance.now()): BodyTurns {
  const turns = createTurns({ all: 1 });
  let waiting = 0;
  return (bytes, holder, parse) => {
    const { length } = bytes;
    if (length <= shortBytes || waiting + length > maxWaitingBytes) return parse();
    waiting += length;
    return turns.enter(holder).then((leave) => {
      waiting -= length;
      const begun = now();
      try {
        return parse();
      } finally {
        // What is made of the body without waiting for the storage belongs to its first turn.
        afterTurns(Math.min(Math.max(1, Math.round(now() - begun)), stepsOfSend), leave);
      }
    });
  };
}

/** Calls back after that many turns of the event loop, which last no time if there is nothing else to do. */
function afterTurns(count: number, done: () => void): void {
  setImmediate(() => (count > 1 ? afterTurns(count - 1, done) : done()));
}
