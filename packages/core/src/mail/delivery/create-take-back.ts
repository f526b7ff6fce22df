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
const slowMs = 1_000;

/**
 * Creates the function that returns abandoned claims to the queue. A claim also looks abandoned if its owner could not
 * renew it, because for that long the storage took no writes: of what the owner has sent meanwhile it knows nothing. So
 * after a failure of the storage, or a long wait for it, owners come first.
 */
export function createTakeBack(
  storage: Pick<Storage, "transaction">,
  { leaseMs, monotonic }: { leaseMs: number; monotonic(): number },
): TakeBack {
  const graceMs = Math.min(longestGraceMs, leaseMs);
  let troubledAt: number | undefined;

  async function takeBack(claims: readonly Claim[], now: number): Promise<number> {
    const begun = monotonic();
    if (troubledAt !== undefined && begun - troubledAt < graceMs) return 0;
    const count = await storage.transaction(async ({ emailQueue }) => {
      // One grace is enough: where every write is slow, the e-mails of dead workers must return too.
      const isLate = troubledAt === undefined && monotonic() - begun > slowMs;
      return isLate ? undefined : emailQueue.reclaim([...claims], now);
    });
    troubledAt = count === undefined ? monotonic() : undefined;
    return count ?? 0;
  }

  return Object.assign(takeBack, {
    failed() {
      troubledAt = monotonic();
    },
  });
}
