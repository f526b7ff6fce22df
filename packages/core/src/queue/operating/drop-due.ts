import type { ReadContext } from "../../calls/use-case.ts";
import { pauseAutomatically } from "../../mail/campaigns/feeding/pause-automatically.ts";
import type { EventOrigin } from "../../mail/email-events.ts";
import { cancelWaiting } from "../../mail/emails/cancel-waiting.ts";
import { restoredCopyFact } from "../../ports/storage.ts";

/** Number of e-mails that one transaction cancels. */
const atOnce = 200;

/**
 * Cancels the e-mails that fell due before a time, and pauses the campaigns that were running or would have begun by
 * then: in a restored copy, all of these may have been sent since. Also cancels e-mails that workers had claimed when
 * the copy was made, and whose claims ended. Returns the number of e-mails.
 */
export async function dropDue(
  context: Pick<ReadContext, "storage" | "runtime" | "changePiece">,
  before: number,
  origin: EventOrigin,
): Promise<number> {
  const { storage, runtime } = context;
  for (const campaign of await storage.campaigns.listGoing(before))
    await pauseAutomatically(context, campaign, "restored_copy");
  const now = runtime.queueClock.now();
  const claims = await storage.emailQueue.claims();
  // A copy has delivered nothing yet: its claims are those of workers on the original. Where somebody paused the queue,
  // claims that are renewed are of e-mails on their way.
  const isCopy = (await storage.operations.findFact(restoredCopyFact)) !== undefined;
  await storage.emailQueue.reclaim(isCopy ? claims : claims.filter(({ until }) => until <= now), now);
  let dropped = 0;
  for (;;) {
    const ids = await storage.emailQueue.listDue(before, atOnce);
    const count = ids.length === 0 ? 0 : await cancelWaiting(context, ids, origin);
    if (count === 0) return dropped;
    dropped += count;
  }
}
