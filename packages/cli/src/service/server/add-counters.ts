import type { Counters } from "@posthorn/core";

/** Adds the counters of two services of one process. */
export function addCounters(one: Counters, other: Counters | undefined): Counters {
  if (other === undefined) return one;
  const { emails, webhooks, inbound } = one;
  return {
    emails: sumOf(emails, other.emails),
    webhooks: sumOf(webhooks, other.webhooks),
    inbound: sumOf(inbound, other.inbound),
  };
}

const sumOf = <Key extends string>(
  one: Record<Key, number>,
  other: Record<Key, number>,
): Record<Key, number> => {
  const sum = { ...one };
  for (const key of Object.keys(one) as Key[]) sum[key] += other[key];
  return sum;
};
