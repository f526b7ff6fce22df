/** Metrics of mail, counted by recipient. */
export const mailMetrics = [
  "accepted",
  "delivered",
  "deferred",
  "bounced",
  "complained",
  "suppressed",
] as const;
/**
 * The mailbox providers with most recipients. Totals since the beginning are kept for each of these, and together for
 * all other domains, so that lists of addresses do not make the table grow.
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

/** An increase of one metric, for a domain and an hour. */
export interface MetricChange {
  /** The workspace's number. */
  workspaceId: number;
  /** Time in ms: it counts for the hour that contains it. */
  at: number;
  /** The recipients' domain, in lower case. */
  domain: string;
  /** The metric. */
  metric: MailMetric;
  /** Number of recipients. */
  by: number;
}

/** Counts of all metrics. */
export type MetricCounts = Record<MailMetric, number>;

/** Counts of zero. */
export const noCounts = (): MetricCounts =>
  Object.fromEntries(mailMetrics.map((name) => [name, 0])) as MetricCounts;

/** Adds counts to others. */
export function addCounts(sum: MetricCounts, counts: Readonly<MetricCounts>): void {
  for (const name of mailMetrics) sum[name] += counts[name];
}

/** A period of a workspace, in ms, counted by whole hours. */
export interface MetricSpan {
  /** The workspace's number. */
  workspaceId: number;
  /** Time within the first hour. */
  from: number;
  /** Hours that begin at or after this time are excluded. */
  until: number;
}

/** Counts in a period. */
export interface MetricReading {
  /** Counts by parts of the period, earliest first, without empty parts. */
  series: (MetricCounts & { start: number })[];
  /** Counts of the domains with the most accepted mail, most first. */
  domains: (MetricCounts & { domain: string })[];
  /** Counts of all other domains together. */
  others: MetricCounts;
}

/**
 * Counts of mail by hour and domain. They are written together with what they count, and never computed from its rows.
 */
export interface Metrics {
  /** Adds counts. Concurrent processes do not wait for each other. */
  count(changes: readonly MetricChange[]): Promise<void>;
  /**
   * Takes back what was counted of recipients who are tried again, unless that hour's counts were removed. `totals`,
   * which never fall, keep it.
   */
  takeBack(changes: readonly MetricChange[]): Promise<void>;
  /**
   * Reads the counts of a period. The series has a row for each `every` ms, whole hours, since the epoch; at most
   * `domains` domains are listed. It is read in pieces, so that other calls run in between; if there are very many
   * domains, those with the least accepted mail are added to the others.
   */
  read(span: MetricSpan, wanted: { every: number; domains: number }): Promise<MetricReading>;
  /** Returns the counts of all workspaces since the beginning. */
  totals(): Promise<MetricCounts>;
  /**
   * Returns the same by domain, in alphabetical order: those of `namedDomains` with any counts, and always all others
   * as `other`.
   */
  totalsByDomain(): Promise<(MetricCounts & { domain: string })[]>;
  /** Deletes hours before a time, at most `limit` rows. Returns their number. `totals` keeps their counts. */
  deleteBefore(before: number, limit: number): Promise<number>;
}
