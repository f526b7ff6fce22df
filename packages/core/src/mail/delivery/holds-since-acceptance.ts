import type { ClaimedEmail } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";

/** Ms for which the checks at acceptance are valid for e-mails that were due at once (platform.md P0, P8). */
const holdsFor = 60_000;

/**
 * Whether what was checked at acceptance still holds: it does not for an e-mail that was scheduled or has waited, nor for
 * one of a campaign: these are queued up to a minute ahead, and wait while it is paused (P9). Nor after a first attempt,
 * whose bounce may have suppressed the very recipient for whom somebody has the e-mail tried again.
 */
export function holdsSinceAcceptance(
  { queueClock }: Pick<Runtime, "queueClock">,
  { attempt, email: { campaignId, createdAt, scheduledAt } }: ClaimedEmail,
): boolean {
  if (attempt > 1 || scheduledAt !== undefined || campaignId !== undefined) return false;
  const age = queueClock.now() - createdAt;
  return age >= 0 && age <= holdsFor;
}
