import type { DueEndpoint } from "../../ports/storage/webhooks.ts";

/** Limits on concurrent deliveries of one worker: in all, and by workspace and endpoint. */
export const deliverySlots = {
  all: 25,
  /** For each workspace while several wait. */
  ofWorkspace: 5,
  /** For a single waiting workspace: the rest stays free for the next one. */
  ofLoneWorkspace: 20,
  /** For one endpoint while several workspaces wait. */
  ofEndpoint: 4,
  /** For one endpoint of a single waiting workspace: what it gets in a second depends on how far away it is. */
  ofLoneEndpoint: 16,
  /** For all endpoints together whose last attempt failed; the next limit is for each of them. */
  failing: 8,
  ofFailingEndpoint: 1,
} as const;

/** A delivery that is being attempted. */
export interface UnderWay {
  webhookId: string;
  workspaceId: number;
  isFailing: boolean;
}

/**
 * Plans how many deliveries of each webhook to claim. Each slot goes to the workspace with the fewest deliveries under
 * way, and there to the endpoint with the fewest; among equals to the oldest delivery. A single waiting workspace gets
 * more than its share, unless another has more already: a slow or dead endpoint, or twenty of them, therefore delay no
 * others.
 */
export function planDeliveries(
  endpoints: readonly DueEndpoint[],
  underWay: readonly UnderWay[],
): { row: number; limit: number }[] {
  const ofWorkspace = countBy(underWay.map(({ workspaceId }) => workspaceId));
  const waiting = new Set(endpoints.map(({ workspaceId }) => workspaceId));
  const isExceeded = [...ofWorkspace].some(
    ([workspaceId, count]) => count > deliverySlots.ofWorkspace && !waiting.has(workspaceId),
  );
  const isLone = waiting.size === 1 && !isExceeded;
  const most = isLone ? deliverySlots.ofLoneWorkspace : deliverySlots.ofWorkspace;
  const mostOfEndpoint = isLone ? deliverySlots.ofLoneEndpoint : deliverySlots.ofEndpoint;
  const ofEndpoint = countBy(underWay.map(({ webhookId }) => webhookId));
  const granted = new Map<number, number>();
  let failing = underWay.filter(({ isFailing }) => isFailing).length;
  let open = deliverySlots.all - underWay.length;

  const hasRoom = (one: DueEndpoint): boolean => {
    const taken = ofEndpoint.get(one.webhookId) ?? 0;
    if ((granted.get(one.row) ?? 0) >= one.due || (ofWorkspace.get(one.workspaceId) ?? 0) >= most)
      return false;
    if (!one.isFailing) return taken < mostOfEndpoint;
    return taken < deliverySlots.ofFailingEndpoint && failing < deliverySlots.failing;
  };
  const comesBefore = (a: DueEndpoint, b: DueEndpoint): boolean => {
    const workspaces = (ofWorkspace.get(a.workspaceId) ?? 0) - (ofWorkspace.get(b.workspaceId) ?? 0);
    if (workspaces !== 0) return workspaces < 0;
    const taken = (ofEndpoint.get(a.webhookId) ?? 0) - (ofEndpoint.get(b.webhookId) ?? 0);
    return taken === 0 ? a.dueAt < b.dueAt : taken < 0;
  };

  for (; open > 0; open -= 1) {
    let next: DueEndpoint | undefined;
    for (const one of endpoints)
      if (hasRoom(one) && (next === undefined || comesBefore(one, next))) next = one;
    if (next === undefined) break;
    granted.set(next.row, (granted.get(next.row) ?? 0) + 1);
    ofWorkspace.set(next.workspaceId, (ofWorkspace.get(next.workspaceId) ?? 0) + 1);
    ofEndpoint.set(next.webhookId, (ofEndpoint.get(next.webhookId) ?? 0) + 1);
    if (next.isFailing) failing += 1;
  }
  return [...granted].map(([row, limit]) => ({ row, limit }));
}

function countBy<K>(keys: K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
