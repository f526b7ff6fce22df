import type { DueEndpoint } from "../../ports/storage.ts";

type Endpoint = Pick<DueEndpoint, "webhookId" | "workspaceId">;

/** When endpoints and workspaces last had a turn: numbers that rise with each turn, 0 for none. */
export interface LastTurns {
  ofEndpoint(endpoint: Endpoint): number;
  ofWorkspace(endpoint: Endpoint): number;
  take(endpoint: Endpoint): void;
  /** Forgets all but those that wait now: who comes again after a rest has the next turn. */
  keep(waiting: readonly Endpoint[]): void;
}

/** Creates the turns of a worker. */
export function createLastTurns(): LastTurns {
  const endpoints = new Map<string, number>();
  const workspaces = new Map<number, number>();
  let last = 0;
  return {
    ofEndpoint: ({ webhookId }) => endpoints.get(webhookId) ?? 0,
    ofWorkspace: ({ workspaceId }) => workspaces.get(workspaceId) ?? 0,
    take({ webhookId, workspaceId }) {
      last += 1;
      endpoints.set(webhookId, last);
      workspaces.set(workspaceId, last);
    },
    keep(waiting) {
      const ids = new Set(waiting.map(({ webhookId }) => webhookId));
      const numbers = new Set(waiting.map(({ workspaceId }) => workspaceId));
      for (const id of endpoints.keys()) if (!ids.has(id)) endpoints.delete(id);
      for (const number of workspaces.keys()) if (!numbers.has(number)) workspaces.delete(number);
    },
  };
}
