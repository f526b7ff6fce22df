import { addCounts, type MetricCounts, noCounts } from "@posthorn/core/storage";

/** Counts of a domain, or of all that are not told by name. */
export type DomainCounts = MetricCounts & { domain: string };

/** Domains that are told apart at the most while a stretch is added up: a workspace may write to any number of them. */
const domainsAtMost = 50_000;

/** What is added up of domains, of which the `limit` with the most accepted are told in the end. */
export interface DomainSums {
  add(domain: string, counts: Readonly<MetricCounts>): void;
  /** Those with the most accepted first; all others as one. */
  end(limit: number): { domains: DomainCounts[]; others: MetricCounts };
}

const mostAccepted = (a: DomainCounts, b: DomainCounts): number =>
  b.accepted - a.accepted || (a.domain < b.domain ? -1 : 1);

/** Adds up by domain. Of more than `most` domains those with the least accepted so far are counted with the others from there on. */
export const createDomainSums = (most = domainsAtMost): DomainSums => {
  const sums = new Map<string, DomainCounts>();
  const others = noCounts();
  const keepLargest = (limit: number): DomainCounts[] => {
    const ranked = [...sums.values()].sort(mostAccepted);
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
