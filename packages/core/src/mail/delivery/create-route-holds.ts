import type { ClaimedEmail } from "../../ports/storage/email-queue.ts";
import type { InHand } from "../../queue/work.ts";
import type { RouteHold } from "./server-way.ts";

type OnRoute = Pick<ClaimedEmail, "route" | "lease">;

/**
 * Routes on which a server just accepted nothing, with the last claim before that: e-mails claimed by then are returned
 * without an attempt.
 */
export interface RouteHolds {
  /** Notes that a server accepted nothing. */
  note(route: string, hold: RouteHold): void;
  /** Returns the hold that stops an e-mail; one that was claimed since ends it. */
  find(claimed: OnRoute): RouteHold | undefined;
  /** Notes what was claimed, and forgets the routes of which nothing was in hand before that. */
  claimed(items: readonly OnRoute[], inHand: Pick<InHand<OnRoute>, "waiting" | "active">): void;
}

/** Creates the memory of held routes, for one worker. */
export function createRouteHolds(): RouteHolds {
  const holds = new Map<string, { hold: RouteHold; lastClaim: number }>();
  let lastClaim = 0;
  return {
    note: (route, hold) => void holds.set(route, { hold, lastClaim }),
    find({ route, lease }) {
      const standing = holds.get(route);
      if (standing !== undefined && lease.claimId <= standing.lastClaim) return standing.hold;
      holds.delete(route);
      return undefined;
    },
    claimed(items, { waiting, active }) {
      for (const { lease } of items) lastClaim = Math.max(lastClaim, lease.claimId);
      if (holds.size === 0) return;
      const routes = new Set([...waiting, ...active].map(({ route }) => route));
      for (const route of holds.keys()) if (!routes.has(route)) holds.delete(route);
    },
  };
}
