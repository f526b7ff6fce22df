import type { ClaimedEmail } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { isCampaignRoute } from "../rules/routes.ts";

/** Ms for which knowledge about a route is valid: a pause affects the worker's claimed e-mails after that time. */
const freshMs = 250;
/** Ms after which an unused route is forgotten. */
const forgottenMs = 10_000;

/** Whether a campaign was paused or cancelled since an e-mail of it was claimed. */
export type Pauses = (claimed: Pick<ClaimedEmail, "route" | "lease">) => boolean | Promise<boolean>;

/** Creates a check that reads a campaign's state a few times a second, however many e-mails of it are being sent. */
export function createPauses({ storage, queueClock }: Pick<Runtime, "storage" | "queueClock">): Pauses {
  const known = new Map<string, { at: number; claimId: number; isParked: Promise<boolean> }>();

  async function ask(route: string): Promise<boolean> {
    try {
      return await storage.emailQueue.isParked(route, queueClock.now());
    } catch {
      // Delivery of claimed e-mails continues while the storage is unavailable: their results are kept until it is
      // back.
      return false;
    }
  }

  async function isPaused({ route, lease: { claimId } }: Parameters<Pauses>[0]): Promise<boolean> {
    const now = queueClock.monotonic();
    const standing = known.get(route);
    if (standing !== undefined && now - standing.at < freshMs) {
      const isParked = await standing.isParked;
      // E-mails of a held route are not claimed, so a later claim shows that the hold has ended.
      if (!isParked || claimId <= standing.claimId) return isParked;
    }
    for (const [other, { at }] of known) if (now - at > forgottenMs) known.delete(other);
    const isParked = ask(route);
    known.set(route, { at: now, claimId, isParked });
    return await isParked;
  }

  return (claimed) => isCampaignRoute(claimed.route) && isPaused(claimed);
}
