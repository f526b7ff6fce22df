import { type MetricCounts, type Metrics, mailMetrics, namedDomains } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import { createCounters } from "../../create-counters.ts";
import type { Engine, Handle } from "../../engine.ts";

const hourMs = 3_600_000;
/** Stands for all workspaces, in the rows of what was counted since the beginning. */
const all = 0;
/** Stands there for all domains that are not named. */
const others = "";

const addTo = createCounters({
  table: "mail_metrics",
  key: { workspace_id: "bigint", hour: "bigint", domain: "text", metric: "text" },
  total: "total",
});

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
      const rows = changes.flatMap(({ workspaceId: workspace_id, at, domain, metric, by }) => [
        { workspace_id, hour: at - (at % hourMs), domain, metric, by },
        { workspace_id: all, hour: 0, domain: namedDomains.has(domain) ? domain : others, metric, by },
      ]);
      await addTo(db, engine, rows);
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
      return ofDomains(rows)
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
