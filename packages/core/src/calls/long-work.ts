/** Number of pieces under way at once, of different workspaces: on PostgreSQL a piece mostly waits for answers. */
const slots = 2;

/**
 * Divides the event loop and the storage's writer among calls that work for long, such as imports and exports. Each runs
 * in pieces; a workspace has one piece under way at a time, and workspaces take turns. Between two pieces the event loop
 * turns, so that whatever a workspace begins at once delays other calls by no more than two pieces.
 */
export interface LongWork {
  /** Runs a piece once it is the workspace's turn. */
  piece<T>(workspaceId: number | undefined, work: () => Promise<T>): Promise<T>;
  /** Ends a piece that uses only the event loop, and resolves when the next one may begin. */
  pause(workspaceId: number | undefined): Promise<void>;
}

/** Creates the turns, for one process. */
export function createLongWork(): LongWork {
  /** Pieces that wait, by workspace; the workspace whose turn is next comes first. */
  const waiting = new Map<number | undefined, (() => void)[]>();
  const underWay = new Set<number | undefined>();

  const begin = (): void => {
    for (const [workspaceId, line] of waiting) {
      if (underWay.size >= slots) return;
      if (underWay.has(workspaceId)) continue;
      underWay.add(workspaceId);
      line.shift()?.();
      if (line.length === 0) waiting.delete(workspaceId);
    }
  };

  const turn = (workspaceId: number | undefined): Promise<void> =>
    new Promise((resolve) => {
      const line = waiting.get(workspaceId);
      if (line === undefined) waiting.set(workspaceId, [resolve]);
      else line.push(resolve);
      begin();
    });

  const end = (workspaceId: number | undefined): void => {
    setImmediate(() => {
      underWay.delete(workspaceId);
      const line = waiting.get(workspaceId);
      if (line !== undefined) {
        waiting.delete(workspaceId);
        waiting.set(workspaceId, line);
      }
      begin();
    });
  };

  return {
    async piece(workspaceId, work) {
      await turn(workspaceId);
      try {
        return await work();
      } finally {
        end(workspaceId);
      }
    },
    async pause(workspaceId) {
      await new Promise((resolve) => setImmediate(resolve));
      await turn(workspaceId);
      end(workspaceId);
    },
  };
}
