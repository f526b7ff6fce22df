import type { Writable } from "node:stream";
import type { ClientBase } from "pg";

/** Missing in pg's types. */
interface Connected {
  connection?: { stream?: Partial<Pick<Writable, "cork" | "uncork">> };
}

/**
 * Creates a function to call before each statement on the client: statements sent without waiting for each other are
 * written together and reach the server at once. Separate writes cost more than everything else.
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
