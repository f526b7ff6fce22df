import type { Claim } from "../ports/storage/email-queue.ts";

/** What is known of the time when claims are looked at. */
export interface Moment {
  /** Queue time. */
  now: number;
  /** Ms that have passed, whatever any clock says. */
  monotonic: number;
  /** Whether the queue's clock can be trusted: it made no step since a lease ago. */
  isSteady: boolean;
}

/**
 * Tells which claims nobody renews any more. One that was seen before is abandoned once it stood unchanged for the length of its lease
 * by this process's own measure of time, whatever any clock says. One that is new here is judged by the database's clock, unless that
 * has just made a step.
 */
export function createAbandonment(): (claims: readonly Claim[], moment: Moment) => Claim[] {
  let seen = new Map<number, { until: number; at: number }>();
  return (claims, { now, monotonic, isSteady }) => {
    const before = seen;
    seen = new Map();
    return claims.filter(({ id, until, leaseMs }) => {
      const known = before.get(id);
      const at = known?.until === until ? known.at : monotonic;
      seen.set(id, { until, at });
      if (monotonic - at >= leaseMs) return true;
      return known === undefined && isSteady && until <= now;
    });
  };
}
