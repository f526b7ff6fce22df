import { isLocked } from "../../ports/is-locked.ts";
import type { Submission, SubmissionOutcome } from "./submission.ts";

type Accept = (submission: Submission, since?: number) => Promise<SubmissionOutcome>;

/**
 * Workspaces in whose way other transactions have held locks for longer than a commit waits, such as a host's own that
 * stays open after a send.
 */
export interface Apart {
  /** Number of such workspaces. */
  readonly size: number;
  /** What accepts the submissions of such a workspace; `undefined` for any other. */
  of(workspaceId: number): Accept | undefined;
  add(workspaceId: number): void;
}

/**
 * Creates an empty collection. The submissions of each of these workspaces are accepted apart, until one meets no such
 * lock: shared with others, their commit would make those of all workspaces fail. `createAccept` creates what accepts
 * them.
 */
export function createApart(createAccept: () => Accept): Apart {
  const apart = new Map<number, Accept>();
  return {
    get size() {
      return apart.size;
    },
    of: (workspaceId) => apart.get(workspaceId),
    add(workspaceId) {
      if (apart.has(workspaceId)) return;
      const accept = createAccept();
      apart.set(workspaceId, async (submission, since) => {
        let stays = false;
        try {
          return await accept(submission, since);
        } catch (error) {
          stays = isLocked(error);
          throw error;
        } finally {
          if (!stays) apart.delete(workspaceId);
        }
      });
    },
  };
}
