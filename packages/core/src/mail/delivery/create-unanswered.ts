import type { Claim, ClaimedEmail } from "../../ports/storage.ts";

/** Knows which of a worker's claims it never got an answer to: nobody has their e-mails in hand. */
export interface Unanswered {
  /** Resolves or rejects as the claim does. */
  watch(claiming: Promise<ClaimedEmail[]>): Promise<ClaimedEmail[]>;
  /** Of all claims, as they are read now, returns those. */
  find(reading: Promise<Claim[]>): Promise<{ claims: Claim[]; unanswered: ReadonlySet<number> }>;
}

/**
 * Creates the knowledge of one worker. A claim may be committed though its answer is lost, together with the connection or
 * by a failover. Its e-mails would wait for a whole lease, and then count as tried.
 */
export function createUnanswered(worker: string): Unanswered {
  /** Claims that were answered, as long as they exist. */
  const answered = new Set<number>();
  let underWay = 0;
  return {
    async watch(claiming) {
      underWay += 1;
      try {
        const claimed = await claiming;
        for (const { lease } of claimed) answered.add(lease.claimId);
        return claimed;
      } finally {
        underWay -= 1;
      }
    },
    async find(reading) {
      const before = [...answered];
      const claims = await reading;
      const there = new Set(claims.map(({ id }) => id));
      for (const id of before) if (!there.has(id)) answered.delete(id);
      // One of those that are under way may be among them, and still be answered.
      const own = underWay > 0 ? [] : claims.filter((one) => one.worker === worker && !answered.has(one.id));
      return { claims, unanswered: new Set(own.map(({ id }) => id)) };
    },
  };
}
