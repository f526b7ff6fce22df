import { pauseByItself } from "../mail/campaigns/pause-by-itself.ts";
import { cancelWaiting } from "../mail/emails/cancel-waiting.ts";
import type { HappeningOrigin } from "../mail/happenings.ts";
import type { Runtime } from "../service/runtime.ts";

/** E-mails that one transaction cancels. */
const atOnce = 200;

/**
 * Cancels what fell due before a time, and pauses the campaigns that went on or would have begun by then: for a restored copy, in which all
 * of that may have been sent since. What a worker had in hand when the copy was made is cancelled, too. Answers how many e-mails were.
 */
export async function dropDue(runtime: Runtime, before: number, origin: HappeningOrigin): Promise<number> {
  const { storage, queueClock } = runtime;
  for (const campaign of await storage.campaigns.listGoing(before))
    await pauseByItself(runtime, campaign, "restored_copy");
  // Nobody has anything in hand while all delivery is held: these are of those who worked on the original.
  await storage.emailQueue.reclaim(await storage.emailQueue.claims(), queueClock.now());
  let dropped = 0;
  for (;;) {
    const ids = await storage.emailQueue.listDue(before, atOnce);
    const count = ids.length === 0 ? 0 : await cancelWaiting(runtime, "all", ids, origin);
    if (count === 0) return dropped;
    dropped += count;
  }
}
