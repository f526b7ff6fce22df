import { createTurns, type Holder, leaveToOthers } from "@posthorn/core/internal";

/** Length up to which a body is parsed at once: that takes some 3 ms at most. */
const shortBytes = 64 * 1024;
/** Bytes that may wait together: beyond that, bodies are parsed as they arrive. */
const maxWaitingBytes = 64 * 1024 * 1024;

/** Parses a body when its turn comes. */
export type BodyTurns = <T>(bytes: Uint8Array, holder: Holder, parse: () => T) => T | Promise<T>;

/**
 * Makes turns for parsing long bodies, of which 1 MB can take 50 ms: one at a time, by holder. After each, turns of the
 * event loop are left to other work.
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
        leaveToOthers(now() - begun, leave);
      }
    });
  };
}
