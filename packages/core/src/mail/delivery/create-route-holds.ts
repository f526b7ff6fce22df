import type { ClaimedEmail } from "../../ports/storage.ts";
import type { InHand } from "../../queue/loop/work.ts";

type OnRoute = Pick<ClaimedEmail, "route" | "lease">;

/**
 * Routes on which a server just accepted nothing, with the last claim before that: e-mails claimed by then are returned
 * without an attempt.
 */
export interface RouteHolds {
  /** Notes that a server accepted nothing. */
  note(route: string): void;
  /** Whether an e-mail is stopped; one that was claimed since ends that. */
  stops(claimed: OnRoute): boolean;
  /** Notes what was claimed, and forgets the routes of which nothing was in hand before that. */
  claimed(items: readonly OnRoute[], inHand: Pick<InHand<OnRoute>, "waiting" | "active">): void;
}

/** Creates the memory of held routes, for one worker. */
export function createRouteHolds(): RouteHolds {
  /** The last claim before each hold, by route. */
  const holds = new Map<string, number>();
  let lastClaim = 0;
  return {
    note: (route) => void holds.set(route, lastClaim),
    stops({ route, lease }) {
      if (lease.claimId <= (holds.get(route) ?? Number.NEGATIVE_INFINITY)) return true;
      holds.delete(route);
      return false;
    },
    claimed(items, { waiting, active }) {
      for (const { lease } of items) lastClaim = Math.max(lastClaim, lease.claimId);
      if (holds.size === 0) return;
      const routes = new Set([...waiting, ...active].map(({ route }) => route));
      for (const route of holds.keys()) if (!routes.has(route)) holds.delete(route);
    },
  };
}
