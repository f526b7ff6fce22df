import {
  addCounts,
  type MetricChange,
  type MetricCounts,
  type Metrics,
  mailMetrics,
  namedDomains,
  noCounts,
} from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { createCounters, sumUp } from "../../create-counters.ts";
import { readLong } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { columnsOf, tables } from "../../tables.ts";
import { createDomainSums, type DomainCounts } from "./metric-sums.ts";

const hourMs = 3_600_000;
/** Stands for all workspaces in the totals since the beginning. */
const all = 0;
/** Stands for all unnamed domains. */
const others = "";

const rowKey = columnsOf("mail_metrics", tables.mail_metrics.key);

const addTo = createCounters("mail_metrics", "total");
/** Nothing is taken from an hour whose counts were removed: it would be left with less than none. */
const addToKept = createCounters(
  "mail_metrics",
  "total",
  (engine) => sql`exists (
    select 1 from ${engine.table("mail_metrics")} as kept
    where kept.workspace_id = v.workspace_id and kept.hour = v.hour and kept.domain = v.domain
      and kept.metric = v.metric
  )`,
);
const counted = ["workspace_id", "hour", "domain", "metric"] as const;

interface DomainRow {
  domain: string;
  metric: string;
  total: number;
}

/** Counts of each domain, in no order. */
function ofDomains(rows: readonly DomainRow[]): DomainCounts[] {
  const domains = new Map<string, DomainCounts>();
  for (const { domain, metric, total } of rows) {
    const counts = domains.get(domain) ?? { domain, ...noCounts() };
    counts[metric as keyof MetricCounts] = Number(total);
    domains.set(domain, counts);
  }
  return [...domains.values()];
}

/** The sums of a group's metrics, one column each. */
const sums = sql.join(
  mailMetrics.map(
    (name) => sql`sum(case when metric = ${sql.lit(name)} then total else 0 end) as ${sql.id(name)}`,
  ),
);
const keyColumns = sql.join(Object.keys(rowKey).map((name) => sql.id(name)));

/** Converts to numbers, whatever type the driver has for sums. */
const countsOf = (row: Readonly<MetricCounts>): MetricCounts =>
  Object.fromEntries(mailMetrics.map((name) => [name, Number(row[name])])) as MetricCounts;

/** Sums read by one statement; between statements the thread is free for others. */
const pieceSize = 2_000;

interface Place {
  hour: number;
  domain: string;
}

/** Sums after a position, in the order of the table. */
const nextSums = (
  db: Handle,
  engine: Engine,
  { workspaceId, until, hour, domain }: Place & { workspaceId: number; until: number },
) =>
  readLong(
    db,
    sql<MetricCounts & Place>`
      select hour, domain, ${sums} from ${engine.table("mail_metrics")}
      where workspace_id = ${workspaceId} and (hour, domain) > (${hour}, ${domain}) and hour < ${until}
      group by hour, domain order by hour, domain limit ${sql.lit(pieceSize)}`,
    { holder: workspaceId },
  );

/** Adds up changes by hour. */
const hourlyOf = (changes: readonly MetricChange[]) =>
  sumUp(
    counted,
    changes.map(({ workspaceId: workspace_id, at, domain, metric, by }) => ({
      workspace_id,
      hour: at - (at % hourMs),
      domain,
      metric,
      by,
    })),
  );

/** Counts of mail by hour and domain. */
export const createMetricsRepository = (db: Handle, engine: Engine): Metrics => {
  return {
    takeBack: (changes) =>
      addToKept(
        db,
        engine,
        hourlyOf(changes).map((change) => ({ ...change, by: -change.by })),
      ),
    async count(changes) {
      const hourly = hourlyOf(changes);
      const totals = hourly.map(({ domain, metric, by }) => ({
        workspace_id: all,
        hour: 0,
        domain: namedDomains.has(String(domain)) ? domain : others,
        metric,
        by,
      }));
      await addTo(db, engine, [...hourly, ...totals]);
    },
    async read({ workspaceId, from, until }, { every, domains: limit }) {
      const series = new Map<number, MetricCounts & { start: number }>();
      const domains = createDomainSums();
      // Totals of all hours follow the empty text.
      let place: Place = { hour: from - (from % hourMs), domain: "" };
      for (let isMore = true; isMore; ) {
        const rows = await nextSums(db, engine, { workspaceId, until, ...place });
        for (const row of rows) {
          const [hour, counts] = [Number(row.hour), countsOf(row)];
          const start = hour - (hour % every);
          const sum = series.get(start) ?? { start, ...noCounts() };
          series.set(start, sum);
          addCounts(sum, counts);
          domains.add(row.domain, counts);
          place = { hour, domain: row.domain };
        }
        isMore = rows.length === pieceSize;
        if (isMore) await engine.pause();
      }
      return { series: [...series.values()], ...domains.end(limit) };
    },
    async totals() {
      const rows = await db
        .selectFrom("mail_metrics")
        .select("metric")
        .select((is) => is.fn.sum<number>("total").as("total"))
        .where("workspace_id", "=", all)
        .groupBy("metric")
        .execute();
      const counts = noCounts();
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
