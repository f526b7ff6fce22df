import type { Claim, Storage } from "../../ports/storage.ts";
import type { Grace } from "../../queue/loop/create-grace.ts";

/** Returns the e-mails of abandoned claims to the queue, or leaves them until a later look. Resolves to the number returned. */
export type TakeBack = (claims: readonly Claim[], now: number) => Promise<number>;

/** Ms of waiting for the turn to write after which others may have waited for it too, longer than their leases. */
const slowMs = 250;

/**
 * Creates the function that returns abandoned claims to the queue. A claim also looks abandoned if its owner could not
 * renew it, because for that long the storage took no writes: of what the owner has sent meanwhile it knows nothing. So
 * within the grace, which a long wait for the storage begins too, owners come first.
 */
export function createTakeBack(
  storage: Pick<Storage, "transaction">,
  { grace, monotonic }: { grace: Grace; monotonic(): number },
): TakeBack {
  /** The grace that its own late turn began. */
  let lateAt: number | undefined;
  return async (claims, now) => {
    if (!grace.isOver()) return 0;
    const begun = monotonic();
    // Late twice, without a failure between, it is only slow: the e-mails of dead workers must return there too.
    const mayBeLate = grace.begunAt === lateAt;
    const count = await storage.transaction(async ({ emailQueue }) => {
      const isLate = !mayBeLate && monotonic() - begun > slowMs;
      return isLate ? undefined : emailQueue.reclaim([...claims], now);
    });
    if (count === undefined) grace.begin();
    lateAt = count === undefined ? grace.begunAt : undefined;
    return count ?? 0;
  };
}
