import type { Claim } from "../../ports/storage/email-queue.ts";
import type { Storage } from "../../ports/storage.ts";

/** Returns abandoned claims to the queue. */
export interface TakeBack {
  /** Returns the e-mails of the claims to the queue, or leaves them until a later look. Resolves to the number returned. */
  (claims: readonly Claim[], now: number): Promise<number>;
  /** Reports that the storage failed this process. */
  failed(): void;
}

/** Maximum ms that owners have to renew their claims, or settle them, once the storage takes writes again. */
const longestGraceMs = 5_000;
/** Ms of waiting for the turn to write after which others may have waited for it too, longer than their leases. */
const slowMs = 250;

/**
 * Creates the function that returns abandoned claims to the queue. A claim also looks abandoned if its owner could not
 * renew it, because for that long the storage took no writes: of what the owner has sent meanwhile it knows nothing. So
 * after a failure of the storage, a long wait for it, or this process's start, owners come first.
 */
export function createTakeBack(
  storage: Pick<Storage, "transaction">,
  { leaseMs, monotonic }: { leaseMs: number; monotonic(): number },
): TakeBack {
  const graceMs = Math.min(longestGraceMs, leaseMs);
  // What was before this process is unknown to it, such as an outage that it was restarted for.
  let troubledAt: number | undefined = monotonic();
  let wasLate = false;

  async function takeBack(claims: readonly Claim[], now: number): Promise<number> {
    const begun = monotonic();
    if (troubledAt !== undefined && begun - troubledAt < graceMs) return 0;
    const count = await storage.transaction(async ({ emailQueue }) => {
      // Late twice, without a failure between, it is only slow: the e-mails of dead workers must return there too.
      const isLate = !wasLate && monotonic() - begun > slowMs;
      return isLate ? undefined : emailQueue.reclaim([...claims], now);
    });
    wasLate = count === undefined;
    troubledAt = wasLate ? monotonic() : undefined;
    return count ?? 0;
  }

  return Object.assign(takeBack, {
    failed() {
      troubledAt = monotonic();
      wasLate = false;
    },
  });
}
