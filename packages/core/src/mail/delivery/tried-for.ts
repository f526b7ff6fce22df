import type { ClaimedEmail, EmailAttempt } from "../../ports/storage.ts";
import { emailLifetime } from "../../rules/backoff.ts";
import type { Runtime } from "../../service/runtime.ts";

const hourMs = 3_600_000;
/** Minimum ms for which an e-mail is tried whose server is held when its 48 hours are over. */
const leastTried = 4 * hourMs;
/** Maximum ms that count of a time without attempts, as no schedule of retries has such a pause. */
const longestPause = 12 * hourMs;
/** Maximum ms that count of one attempt: its conversation and its final dot may take an hour each. */
const longestAttempt = 2 * hourMs;
/** Ms of age from which on the next attempt may be after the 48 hours. */
const nearlyOver = emailLifetime - 2 * hourMs;

interface Attempted {
  startedAt: number;
  endedAt: number;
  /** Ms since the e-mail could first be sent. */
  ageMs: number;
  /** Whether the server accepted nothing at all. */
  isHeld: boolean;
}

/** Returns the attempts since the e-mail was queued, or last queued again after it had failed. */
export async function attemptsOf(
  { storage }: Pick<Runtime, "storage">,
  { email }: Pick<ClaimedEmail, "email">,
): Promise<EmailAttempt[]> {
  // Without the storage the result waits as well: one attempt too many is better than none.
  const all = await storage.emails.attempts(email.id).catch(() => []);
  const end = all.findLastIndex(({ outcome }) => outcome === "sent" || outcome === "failed");
  return all.slice(end + 1);
}

/** Attempts after which the next ones are an hour apart: a read at each of them costs nothing. */
const manyAttempts = 6;

/**
 * Returns the number of the current attempt, which the pause after it depends on: from 1 again for one that was queued
 * again after it had failed. Of few attempts all count.
 */
export const attemptSince = async (
  runtime: Pick<Runtime, "storage">,
  claimed: Pick<ClaimedEmail, "email" | "attempt">,
): Promise<number> =>
  claimed.attempt > manyAttempts ? (await attemptsOf(runtime, claimed)).length + 1 : claimed.attempt;

/** How long an e-mail has been tried. */
export interface Trying {
  /** Ms of its 48 hours of retries that have passed. */
  triedMs: number;
  /** Returns the ms of trying since a time: since a reply, for instance. */
  triedSince: (time: number) => number;
}

/**
 * Returns the ms of an e-mail's 48 hours of retries that have passed. It may have waited for days before its first
 * attempt: in a paused campaign or queue, for a server's pace, or for a service that was stopped. Its time then begins
 * with that attempt; if the server is held, it has a few hours at least. If it waited so after an attempt, or the clock
 * stepped forward, twelve hours of that count; two if it stepped, or the process stood still, during the attempt.
 */
export async function triedFor(
  runtime: Pick<Runtime, "storage">,
  claimed: Pick<ClaimedEmail, "email">,
  { startedAt, endedAt, ageMs, isHeld }: Attempted,
): Promise<Trying> {
  const triedSince: Trying["triedSince"] = (time) => Math.max(0, endedAt - time);
  if (ageMs <= nearlyOver) return { triedMs: ageMs, triedSince };
  const before = await attemptsOf(runtime, claimed);
  const lastMs = Math.max(0, Math.min(endedAt - startedAt, longestAttempt));
  const triedFrom = (first: number): number => {
    let sum = lastMs;
    for (const [at, attempt] of before.entries()) {
      const pause = (before[at + 1]?.startedAt ?? startedAt) - attempt.startedAt;
      if (at >= first) sum += Math.max(0, Math.min(pause, longestPause));
    }
    return sum;
  };
  const triedMs = triedFrom(0);
  return {
    triedMs: Math.min(ageMs, isHeld ? triedMs + emailLifetime - leastTried : triedMs),
    triedSince(time) {
      const last = before.findLastIndex((attempt) => attempt.startedAt <= time);
      // Without the storage, the time by the clock stands: a shorter one would be kept with the recipient.
      return last < 0 ? triedSince(time) : Math.min(triedSince(time), triedFrom(last));
    },
  };
}
