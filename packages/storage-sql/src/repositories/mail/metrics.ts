import { type MetricChange, type MetricCounts, type Metrics, mailMetrics } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { deferred } from "../../deferred.ts";
import type { Engine, Handle, ValueType } from "../../engine.ts";

const hourMs = 3_600_000;
/** Stands for all workspaces, in the rows of what was counted since the beginning. */
const all = 0;

const types = {
  workspace_id: "bigint",
  hour: "bigint",
  domain: "text",
  metric: "text",
  shard: "bigint",
  total: "bigint",
} as const satisfies Record<string, ValueType>;

type Row = Record<keyof typeof types, string | number>;

const none = (): MetricCounts => Object.fromEntries(mailMetrics.map((name) => [name, 0])) as MetricCounts;

/** The rows that changes come to, in one order for all: no two transactions wait for each other. */
function rowsOf(changes: readonly MetricChange[], shard: number): Row[] {
  const rows = new Map<string, Row & { total: number }>();
  for (const { workspaceId, at, domain, metric, by } of changes) {
    const hour = at - (at % hourMs);
    const key = `${workspaceId} ${hour} ${domain} ${metric}`;
    const row = rows.get(key) ?? { workspace_id: workspaceId, hour, domain, metric, shard, total: 0 };
    row.total += by;
    rows.set(key, row);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const adding = (engine: Engine, rows: readonly Row[]) => sql`
  insert into ${engine.table("mail_metrics")} as m (workspace_id, hour, domain, metric, shard, total)
  select workspace_id, hour, domain, metric, shard, total from ${engine.valuesTable("v", types, rows)} where true
  on conflict (workspace_id, hour, domain, metric, shard) do update set total = m.total + excluded.total
`;

/** Counts of mail by hour and domain. */
export const createMetricsRepository = (db: Handle, engine: Engine): Metrics => {
  const within = (workspaceId: number, from: number, until: number) =>
    db
      .selectFrom("mail_metrics")
      .select("metric")
      .select((is) => is.fn.sum<number>("total").as("total"))
      .where("workspace_id", "=", workspaceId)
      .where("hour", ">=", from - (from % hourMs))
      .where("hour", "<", until);
  return {
    async count(changes) {
      if (changes.length === 0) return;
      const sums = changes.map(({ metric, by }) => ({ workspaceId: all, at: 0, domain: "", metric, by }));
      const rows = rowsOf([...changes, ...sums], engine.shard);
      await db.executeQuery(deferred(adding(engine, rows).compile(db)));
    },
    async byHour(workspaceId, from, until) {
      const rows = await within(workspaceId, from, until)
        .select("hour")
        .groupBy(["hour", "metric"])
        .orderBy("hour")
        .execute();
      const hours = new Map<number, MetricCounts & { hour: number }>();
      for (const { hour, metric, total } of rows) {
        const counts = hours.get(hour) ?? { hour, ...none() };
        counts[metric as keyof MetricCounts] = Number(total);
        hours.set(hour, counts);
      }
      return [...hours.values()];
    },
    async byDomain(workspaceId, from, until, limit) {
      const rows = await within(workspaceId, from, until)
        .select("domain")
        .groupBy(["domain", "metric"])
        .execute();
      const domains = new Map<string, MetricCounts & { domain: string }>();
      for (const { domain, metric, total } of rows) {
        const counts = domains.get(domain) ?? { domain, ...none() };
        counts[metric as keyof MetricCounts] = Number(total);
        domains.set(domain, counts);
      }
      return [...domains.values()]
        .sort((a, b) => b.accepted - a.accepted || (a.domain < b.domain ? -1 : 1))
        .slice(0, limit);
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
        for (const { workspace_id, hour, domain, metric, shard } of old)
          await tx
            .deleteFrom("mail_metrics")
            .where("workspace_id", "=", workspace_id)
            .where("hour", "=", hour)
            .where("domain", "=", domain)
            .where("metric", "=", metric)
            .where("shard", "=", shard)
            .execute();
        return old.length;
      }),
  };
};
