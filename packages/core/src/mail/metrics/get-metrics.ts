import { z } from "zod";
import { timeField } from "../../calls/input/time-fields.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import { addCounts, type MetricCounts, noCounts } from "../../ports/storage.ts";
import { namedTimes } from "../../rules/named-times.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const longestDays = 92;
const maxDomains = 100;

/** Delivery figures of a workspace for a period, in recipients. Times are ms since the epoch. */
export interface MailMetricsView {
  /** Start of the period, inclusive, ms since the epoch. */
  from: number;
  /** End of the period, exclusive, ms since the epoch. */
  until: number;
  /** Totals of the period. */
  totals: MetricCounts;
  /** Hours or days with figures, earliest first. */
  series: (MetricCounts & { start: number })[];
  /** Domains with the most recipients first, at most 100. */
  domains: (MetricCounts & { domain: string })[];
  /** Total of all other domains. */
  otherDomains: MetricCounts;
}

/** Reads the workspace's delivery figures by hour or day and by domain, from counts that are written with each outcome (platform.md P12). */
export const getMetrics = useCase({
  access: "emails:read",
  reads: true,
  input: z.strictObject({
    from: timeField
      .optional()
      .describe("Start of the period, ISO 8601; counted by whole hours. Default: 24 hours ago."),
    until: timeField
      .optional()
      .describe("End of the period, ISO 8601, at most 92 days after the start. Default: now."),
    by: z
      .enum(["hour", "day"])
      .default("hour")
      .describe("Unit of the series. Days are in UTC. Default hour."),
  }),
  async run(
    { storage, workspace, now },
    { until = now + 1, from = Math.max(until - dayMs, namedTimes.from), by },
  ): Promise<MailMetricsView> {
    if (from >= until) throw fieldError("from", "is not before the end");
    if (until - from > longestDays * dayMs)
      throw fieldError("from", `is more than ${longestDays} days before the end`);
    const span = { workspaceId: workspace.id, from, until };
    const { series, domains, others } = await storage.metrics.read(span, {
      every: by === "hour" ? hourMs : dayMs,
      domains: maxDomains,
    });
    const totals = noCounts();
    for (const counts of series) addCounts(totals, counts);
    return { from, until, totals, series, domains, otherDomains: others };
  },
});
