import { setImmediate } from "node:timers";
import { createTurns, type Holder } from "@posthorn/core/internal";

/** Length up to which a body is parsed at once: that takes some 3 ms at most. */
const shortBytes = 64 * 1024;
/** Bytes that may wait together: beyond that, bodies are parsed as they arrive. */
const maxWaitingBytes = 64 * 1024 * 1024;

/** Parses a body when its turn comes. */
export type BodyTurns = <T>(bytes: Uint8Array, holder: Holder, parse: () => T) => T | Promise<T>;

/**
 * Makes turns for parsing long bodies, of which 1 MB can take 50 ms: one in each turn of the event loop, by holder. A send
 * has several steps, and would wait at each for all that arrived meanwhile.
 */
export function createBodyTurns(): BodyTurns {
  const turns = createTurns({ all: 1 });
  let waiting = 0;
  return (bytes, holder, parse) => {
    const { length } = bytes;
    if (length <= shortBytes || waiting + length > maxWaitingBytes) return parse();
    waiting += length;
    return turns.enter(holder).then((leave) => {
      waiting -= length;
      // What is made of the body without waiting for the storage belongs to its turn.
      setImmediate(leave);
      return parse();
    });
  };
}
