/** What is counted of mail, by recipient. */
export const mailMetrics = [
  "accepted",
  "delivered",
  "deferred",
  "bounced",
  "complained",
  "suppressed",
] as const;
/**
 * The mailbox providers at which most recipients are: what is counted since the beginning is told apart by these, and as one for all others, so
 * that no list of addresses adds to it.
 */
export const namedDomains: ReadonlySet<string> = new Set([
  "aol.com",
  "comcast.net",
  "free.fr",
  "gmail.com",
  "gmx.de",
  "gmx.net",
  "hotmail.com",
  "icloud.com",
  "laposte.net",
  "libero.it",
  "live.com",
  "mail.ru",
  "me.com",
  "msn.com",
  "naver.com",
  "orange.fr",
  "outlook.com",
  "proton.me",
  "qq.com",
  "t-online.de",
  "web.de",
  "yahoo.co.jp",
  "yahoo.com",
  "yandex.ru",
]);

/** One of the metrics. */
export type MailMetric = (typeof mailMetrics)[number];

/** So many recipients of a domain came to something within an hour. */
export interface MetricChange {
  /** The workspace's number. */
  workspaceId: number;
  /** When it happened, ms: it counts for the hour that holds it. */
  at: number;
  /** The recipients' domain, in lower case. */
  domain: string;
  /** What is counted. */
  metric: MailMetric;
  /** How many recipients. */
  by: number;
}

/** What was counted in one hour or of one domain. */
export type MetricCounts = Record<MailMetric, number>;

/** Nothing of any metric. */
export const noCounts = (): MetricCounts =>
  Object.fromEntries(mailMetrics.map((name) => [name, 0])) as MetricCounts;

/** Adds counts to others. */
export function addCounts(sum: MetricCounts, counts: Readonly<MetricCounts>): void {
  for (const name of mailMetrics) sum[name] += counts[name];
}

/** A stretch of a workspace's time, ms, counted by whole hours. */
export interface MetricSpan {
  /** The workspace's number. */
  workspaceId: number;
  /** Its first hour is the one that holds this time. */
  from: number;
  /** Hours that begin at this time or later are left out. */
  until: number;
}

/** What was counted in a stretch. */
export interface MetricReading {
  /** By parts of the stretch: of those in which there was something, the earliest first. */
  series: (MetricCounts & { start: number })[];
  /** Those with the most accepted first. */
  domains: (MetricCounts & { domain: string })[];
  /** Of all domains that are not among them. */
  others: MetricCounts;
}

/** Counts of mail by hour and domain, written with what they count: they are never found by counting rows. */
export interface Metrics {
  /** Adds; processes that count at once wait for nobody. */
  count(changes: readonly MetricChange[]): Promise<void>;
  /**
   * The series has a row for each `every` ms, whole hours, since the epoch; of the domains at most `domains` are told. Read in pieces, so that
   * others have their turn however much there is; and of very many domains, those with the least accepted are counted with the others.
   */
  read(span: MetricSpan, wanted: { every: number; domains: number }): Promise<MetricReading>;
  /** Of all workspaces together, since counting began. */
  totals(): Promise<MetricCounts>;
  /** The same by domain: those of `namedDomains` of which something was counted, and always all others as `other`, in the order of the alphabet. */
  totalsByDomain(): Promise<(MetricCounts & { domain: string })[]>;
  /** Removes hours before a time, at most so many rows; how many. `totals` keeps what they came to. */
  deleteBefore(before: number, limit: number): Promise<number>;
}
