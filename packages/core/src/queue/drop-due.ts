import { changeAndTell } from "../calls/change-and-tell.ts";
import { addTidings } from "../calls/outbox.ts";
import { pauseByItself } from "../mail/campaigns/pause-by-itself.ts";
import { findTidings, type HappeningOrigin } from "../mail/happenings.ts";
import type { Email } from "../ports/storage/emails.ts";
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
    const count = ids.length === 0 ? 0 : await cancelAll(runtime, ids, origin);
    if (count === 0) return dropped;
    dropped += count;
  }
}

async function cancelAll(runtime: Runtime, ids: readonly string[], origin: HappeningOrigin): Promise<number> {
  return changeAndTell(runtime, async (storage, outbox) => {
    const now = runtime.queueClock.now();
    const emails: Email[] = [];
    for (const id of ids) {
      const outcome = await storage.emails.cancel("all", id, now, { evenInDoubt: true });
      const email = outcome === "cancelled" ? await storage.emails.find("all", id, now) : undefined;
      if (email !== undefined) emails.push(email);
    }
    const happened = emails.map((email) => ({ type: "email.cancelled" as const, email, at: now }));
    addTidings(outbox, await findTidings(runtime, storage, happened, origin));
    return emails.length;
  });
}
