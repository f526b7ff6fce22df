import type { DueEndpoint } from "../../ports/storage.ts";
import { paces } from "../rules/endpoint-pace.ts";
import type { LastTurns } from "./create-last-turns.ts";

/** Limits on concurrent deliveries of one worker: in all, by pace, and there by workspace and endpoint. */
export const deliverySlots = {
  /** More than all paces have: attempts that turn out slow leave the slots of their endpoint's pace. */
  all: 256,
  /** Of all, those that only workspaces have of whose deliveries under way none is slow. */
  reserved: 25,
  /** For endpoints of each pace: slow ones need more for as many deliveries. */
  ofPace: [25, 25, 100],
  /** For each workspace while several wait. */
  ofWorkspace: 5,
  /** For a single waiting workspace: the rest stays free for the next one. */
  ofLoneWorkspace: 20,
  /** For one endpoint while several workspaces wait. */
  ofEndpoint: 4,
  /** For one endpoint of a single waiting workspace: what it gets in a second depends on how far away it is. */
  ofLoneEndpoint: 16,
  /** For all endpoints of each pace whose last attempt failed; the next limit is for each of them. */
  failing: [8, 8, 32],
  ofFailingEndpoint: 1,
} as const;

/** A delivery that is being attempted. */
export interface UnderWay {
  webhookId: string;
  workspaceId: number;
  isFailing: boolean;
  /** Its endpoint's pace, or that of the time that it has taken so far, if slower. */
  pace: number;
}

/**
 * Plans how many deliveries of each webhook to claim. Endpoints of each pace have slots of their own, so that those
 * that answer at once wait for no slow ones, however many there are.
 */
export function planDeliveries(
  endpoints: readonly DueEndpoint[],
  underWay: readonly UnderWay[],
  turns: LastTurns,
): { row: number; limit: number }[] {
  const slowest = new Map<string, number>();
  for (const { webhookId, pace } of underWay)
    slowest.set(webhookId, Math.max(pace, slowest.get(webhookId) ?? 0));
  let open = deliverySlots.all - underWay.length;
  const stalling = new Set(underWay.filter((one) => one.pace > 0).map(({ workspaceId }) => workspaceId));
  return paces.flatMap((pace) => {
    const sharing = underWay.filter((one) => one.pace === pace);
    const plan = planPace(
      endpoints.filter((one) => Math.max(one.pace, slowest.get(one.webhookId) ?? 0) === pace),
      sharing,
      {
        open: Math.min(open, (deliverySlots.ofPace[pace] ?? 0) - sharing.length),
        unreserved: open - deliverySlots.reserved,
        stalling,
        mostFailing: deliverySlots.failing[pace] ?? 0,
        turns,
        ofEndpoint: countBy(underWay.map(({ webhookId }) => webhookId)),
      },
    );
    for (const { limit } of plan) open -= limit;
    return plan;
  });
}

interface Room {
  /** Number of deliveries that may begin. */
  open: number;
  /** Number of them that workspaces with a slow delivery under way may begin. */
  unreserved: number;
  stalling: ReadonlySet<number>;
  /** Maximum number under way to endpoints whose last attempt failed. */
  mostFailing: number;
  turns: LastTurns;
  /** Numbers of deliveries under way, of any pace. */
  ofEndpoint: Map<string, number>;
}

/**
 * Plans the deliveries to endpoints of one pace. Each slot goes to the workspace with the fewest deliveries under way,
 * and there to the endpoint with the fewest; among equals to the one whose last turn is longest ago: the oldest
 * delivery would let a long backlog go before all others. A single waiting workspace gets more than its share, unless
 * another has more already.
 */
function planPace(
  endpoints: readonly DueEndpoint[],
  underWay: readonly UnderWay[],
  { open, unreserved, stalling, mostFailing, turns, ofEndpoint }: Room,
): { row: number; limit: number }[] {
  const ofWorkspace = countBy(underWay.map(({ workspaceId }) => workspaceId));
  const waiting = new Set(endpoints.map(({ workspaceId }) => workspaceId));
  const isExceeded = [...ofWorkspace].some(
    ([workspaceId, count]) => count > deliverySlots.ofWorkspace && !waiting.has(workspaceId),
  );
  const isLone = waiting.size === 1 && !isExceeded;
  const most = isLone ? deliverySlots.ofLoneWorkspace : deliverySlots.ofWorkspace;
  const mostOfEndpoint = isLone ? deliverySlots.ofLoneEndpoint : deliverySlots.ofEndpoint;
  const granted = new Map<number, number>();
  let begun = 0;
  let failing = underWay.filter(({ isFailing }) => isFailing).length;

  const hasRoom = (one: DueEndpoint): boolean => {
    const taken = ofEndpoint.get(one.webhookId) ?? 0;
    if ((granted.get(one.row) ?? 0) >= one.due || (ofWorkspace.get(one.workspaceId) ?? 0) >= most)
      return false;
    if (begun >= unreserved && stalling.has(one.workspaceId)) return false;
    if (!one.isFailing) return taken < mostOfEndpoint;
    return taken < deliverySlots.ofFailingEndpoint && failing < mostFailing;
  };
  const comesBefore = (a: DueEndpoint, b: DueEndpoint): boolean =>
    ((ofWorkspace.get(a.workspaceId) ?? 0) - (ofWorkspace.get(b.workspaceId) ?? 0) ||
      turns.ofWorkspace(a) - turns.ofWorkspace(b) ||
      (ofEndpoint.get(a.webhookId) ?? 0) - (ofEndpoint.get(b.webhookId) ?? 0) ||
      turns.ofEndpoint(a) - turns.ofEndpoint(b) ||
      a.dueAt - b.dueAt) < 0;

  for (let left = open; left > 0; left -= 1) {
    let next: DueEndpoint | undefined;
    for (const one of endpoints)
      if (hasRoom(one) && (next === undefined || comesBefore(one, next))) next = one;
    if (next === undefined) break;
    granted.set(next.row, (granted.get(next.row) ?? 0) + 1);
    ofWorkspace.set(next.workspaceId, (ofWorkspace.get(next.workspaceId) ?? 0) + 1);
    ofEndpoint.set(next.webhookId, (ofEndpoint.get(next.webhookId) ?? 0) + 1);
    turns.take(next);
    begun += 1;
    if (next.isFailing) failing += 1;
  }
  return [...granted].map(([row, limit]) => ({ row, limit }));
}

function countBy<K>(keys: K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
