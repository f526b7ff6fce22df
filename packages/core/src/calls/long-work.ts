import { setImmediate } from "node:timers";
import { createTurns } from "../ports/turns.ts";
import { leaveToOthers } from "./leave-to-others.ts";

/**
 * Divides the event loop and the storage's writer among calls that work for long, such as imports and exports. Each runs
 * in pieces; a workspace has one piece under way at a time, and workspaces take turns. Between two pieces the event loop
 * turns, so that whatever a workspace begins at once delays other calls by no more than two pieces.
 */
export interface LongWork {
  /** Runs a piece once it is the workspace's turn. */
  piece<T>(workspaceId: number | undefined, work: () => Promise<T>): Promise<T>;
  /**
   * Ends a piece that uses only the event loop, and resolves when the next one may begin. Behind it, turns of the event
   * loop are left to others by its length: in each could be one, and a send of another workspace has a dozen steps.
   */
  pause(workspaceId: number | undefined): Promise<void>;
}

/** Creates the turns, for one process. */
export function createLongWork(now: () => number = () => performance.now()): LongWork {
  // Two, because on PostgreSQL a piece mostly waits for answers.
  const turns = createTurns({ all: 2, each: 1 });
  return {
    async piece(workspaceId, work) {
      const leave = await turns.enter(workspaceId);
      try {
        return await work();
      } finally {
        setImmediate(leave);
      }
    },
    async pause(workspaceId) {
      await new Promise((resolve) => setImmediate(resolve));
      const leave = await turns.enter(workspaceId);
      const begun = now();
      setImmediate(() => leaveToOthers(now() - begun, leave));
    },
  };
}
