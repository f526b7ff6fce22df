import {
  type MetricCounts,
  type MetricSpan,
  type Metrics,
  mailMetrics,
  namedDomains,
} from "@posthorn/core/storage";
import { type RawBuilder, sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { createCounters } from "../../create-counters.ts";
import type { Engine, Handle } from "../../engine.ts";
import { columnsOf, tables } from "../../tables.ts";

const hourMs = 3_600_000;
/** Stands for all workspaces, in the rows of what was counted since the beginning. */
const all = 0;
/** Stands there for all domains that are not named. */
const others = "";

const rowKey = columnsOf("mail_metrics", tables.mail_metrics.key);

const addTo = createCounters("mail_metrics", "total");

const none = (): MetricCounts => Object.fromEntries(mailMetrics.map((name) => [name, 0])) as MetricCounts;

interface DomainRow {
  domain: string;
  metric: string;
  total: number;
}

/** What was counted of each domain, in no order. */
function ofDomains(rows: readonly DomainRow[]): (MetricCounts & { domain: string })[] {
  const domains = new Map<string, MetricCounts & { domain: string }>();
  for (const { domain, metric, total } of rows) {
    const counts = domains.get(domain) ?? { domain, ...none() };
    counts[metric as keyof MetricCounts] = Number(total);
    domains.set(domain, counts);
  }
  return [...domains.values()];
}

/** The metrics of all rows of a group, a column each. */
const sums = sql.join(
  mailMetrics.map(
    (name) => sql`sum(case when metric = ${sql.lit(name)} then total else 0 end) as ${sql.id(name)}`,
  ),
);
const keyColumns = sql.join(Object.keys(rowKey).map((name) => sql.id(name)));
const columns = sql.join(mailMetrics.map((name) => sql.id(name)));

const countsOf = (row: Readonly<Record<string, unknown>>): MetricCounts =>
  Object.fromEntries(mailMetrics.map((name) => [name, Number(row[name])])) as MetricCounts;

const mostAccepted = (a: MetricCounts & { domain: string }, b: MetricCounts & { domain: string }): number =>
  b.accepted - a.accepted || (a.domain < b.domain ? -1 : 1);

/** Counts of mail by hour and domain. */
export const createMetricsRepository = (db: Handle, engine: Engine): Metrics => {
  const within = ({ workspaceId, from, until }: MetricSpan): RawBuilder<unknown> => sql`
    from ${engine.table("mail_metrics")}
    where workspace_id = ${workspaceId} and hour >= ${from - (from % hourMs)} and hour < ${until}`;
  return {
    async count(changes) {
      const rows = changes.flatMap(({ workspaceId: workspace_id, at, domain, metric, by }) => [
        { workspace_id, hour: at - (at % hourMs), domain, metric, by },
        { workspace_id: all, hour: 0, domain: namedDomains.has(domain) ? domain : others, metric, by },
      ]);
      await addTo(db, engine, rows);
    },
    async byTime(span, every) {
      const { rows } = await sql<MetricCounts & { start: number }>`
        select hour - hour % ${sql.lit(every)} as start, ${sums} ${within(span)} group by 1 order by 1
      `.execute(db);
      return rows.map((row) => ({ start: Number(row.start), ...countsOf(row) }));
    },
    async byDomain(span, limit) {
      // In one statement, which sees one state: all others are what the sum of all has more than those that are told by name.
      const { rows } = await sql<MetricCounts & { domain: string | null }>`
        with top as (
          select domain, ${sums} ${within(span)} group by domain order by accepted desc, domain limit ${limit}
        )
        select domain, ${columns} from top union all select null as domain, ${sums} ${within(span)}
      `.execute(db);
      const domains: (MetricCounts & { domain: string })[] = [];
      const rest = none();
      for (const { domain, ...row } of rows) {
        const counts = countsOf(row);
        for (const name of mailMetrics) rest[name] += domain === null ? counts[name] : -counts[name];
        if (domain !== null) domains.push({ domain, ...counts });
      }
      return { domains: domains.sort(mostAccepted), others: rest };
    },
    async totals() {
      const rows = await db
        .selectFrom("mail_metrics")
        .select("metric")
        .select((is) => is.fn.sum<number>("total").as("total"))
        .where("workspace_id", "=", all)
        .groupBy("metric")
        .execute();
      const counts = none();
      for (const { metric, total } of rows) counts[metric as keyof MetricCounts] = Number(total);
      return counts;
    },
    async totalsByDomain() {
      const rows = await db
        .selectFrom("mail_metrics")
        .select(["domain", "metric"])
        .select((is) => is.fn.sum<number>("total").as("total"))
        .where("workspace_id", "=", all)
        .groupBy(["domain", "metric"])
        .execute();
      return ofDomains([{ domain: others, metric: mailMetrics[0], total: 0 }, ...rows])
        .map(({ domain, ...counts }) => ({ domain: domain === others ? "other" : domain, ...counts }))
        .sort((a, b) => (a.domain < b.domain ? -1 : 1));
    },
    deleteBefore: (before, limit) =>
      atomically(db, async (tx) => {
        const old = await engine
          .skipLocked(
            tx
              .selectFrom("mail_metrics")
              .select(["workspace_id", "hour", "domain", "metric", "shard"])
              .where("hour", "<", before)
              .where("workspace_id", "<>", all)
              .limit(limit),
          )
          .execute();
        if (old.length > 0)
          await sql`
            delete from ${engine.table("mail_metrics")} where (${keyColumns}) in (
              select ${keyColumns} from ${engine.valuesTable("v", rowKey, old)}
            )
          `.execute(tx);
        return old.length;
      }),
  };
};
