import { addCounts, type MetricCounts, noCounts } from "@posthorn/core/storage";

/** Counts of one domain, or of all unnamed ones. */
export type DomainCounts = MetricCounts & { domain: string };

/** Maximum number of domains kept apart while summing: a workspace may write to any number of them. */
const domainsAtMost = 50_000;

/** Sums by domain, of which the `limit` with the most accepted are named at the end. */
export interface DomainSums {
  add(domain: string, counts: Readonly<MetricCounts>): void;
  /** Domains with the most accepted first; all others as one. */
  end(limit: number): { domains: DomainCounts[]; others: MetricCounts };
}

const maxAccepted = (a: DomainCounts, b: DomainCounts): number =>
  b.accepted - a.accepted || (a.domain < b.domain ? -1 : 1);

/** Sums by domain. Beyond `most` domains, those with the fewest accepted so far are merged into the others. */
export const createDomainSums = (most = domainsAtMost): DomainSums => {
  const sums = new Map<string, DomainCounts>();
  const others = noCounts();
  const keepLargest = (limit: number): DomainCounts[] => {
    const ranked = [...sums.values()].sort(maxAccepted);
    for (const small of ranked.slice(limit)) {
      addCounts(others, small);
      sums.delete(small.domain);
    }
    return ranked.slice(0, limit);
  };
  return {
    add(domain, counts) {
      let sum = sums.get(domain);
      if (sum === undefined) {
        if (sums.size >= most) keepLargest(Math.ceil(most / 2));
        sum = { domain, ...noCounts() };
        sums.set(domain, sum);
      }
      addCounts(sum, counts);
    },
    end: (limit) => ({ domains: keepLargest(limit), others }),
  };
};
