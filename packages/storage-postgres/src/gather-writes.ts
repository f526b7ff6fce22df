import type { Writable } from "node:stream";
import type { ClientBase } from "pg";

/** What pg's types leave out. */
interface Connected {
  connection?: { stream?: Partial<Pick<Writable, "cork" | "uncork">> };
}

/**
 * Makes what is called before each statement on the client: those that are sent without waiting for each other go out in one write, and reach
 * the server together. One write each cost more than all else that is done for them.
 */
export function gatherWrites(client: ClientBase): () => void {
  const stream = (client as ClientBase & Connected).connection?.stream;
  let isGathering = false;
  return () => {
    if (isGathering || stream?.cork === undefined) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork?.();
    });
  };
}
