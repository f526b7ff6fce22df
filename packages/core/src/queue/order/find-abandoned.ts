import type { Claim } from "../../ports/storage.ts";

/** The present time, as known when claims are examined. */
export interface Moment {
  /** Time of the queue's clock, ms since the epoch. */
  now: number;
  /** Elapsed ms, unaffected by changes of any clock. */
  monotonic: number;
  /** Whether the queue's clock is reliable: it made no step within the length of a lease. */
  isSteady: boolean;
}

/**
 * Creates a function that returns the abandoned claims, which no worker renews any more. A known claim is abandoned if
 * it was not renewed for the length of its lease by this process's monotonic clock. A claim that is new to this process
 * is judged by the database's clock, unless that just made a step.
 */
export function createAbandonment(): (claims: readonly Claim[], moment: Moment) => Claim[] {
  let seen = new Map<number, { until: number; at: number; isAbandoned: boolean }>();
  return (claims, { now, monotonic, isSteady }) => {
    const before = seen;
    seen = new Map();
    return claims.filter(({ id, until, leaseMs }) => {
      const known = before.get(id);
      const same = known?.until === until ? known : { at: monotonic, isAbandoned: false };
      const isOld = known === undefined && isSteady && until <= now;
      // One that was left for now is still abandoned at the next look.
      const isAbandoned = same.isAbandoned || isOld || monotonic - same.at >= leaseMs;
      seen.set(id, { until, at: same.at, isAbandoned });
      return isAbandoned;
    });
  };
}
