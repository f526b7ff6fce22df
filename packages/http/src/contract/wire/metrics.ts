import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp } from "./schemas.ts";

type Metrics = OutputOf<(typeof useCases)["metrics"]["get"]>;

/** Delivery counts, in recipients. */
export const mailCounts = {
  accepted: integer,
  delivered: integer,
  deferred: integer,
  bounced: integer,
  complained: integer,
  suppressed: integer,
};

/** Delivery figures, in recipients. */
export const metricsWire = wire(
  named(
    "MailMetrics",
    z.object({
      from: timestamp,
      until: timestamp,
      totals: z.object(mailCounts),
      series: z.array(z.object({ start: timestamp, ...mailCounts })),
      domains: z.array(z.object({ domain: z.string(), ...mailCounts })),
      other_domains: z.object(mailCounts),
    }),
  ),
  ({ from, until, totals, series, domains, otherDomains }: Metrics) => ({
    from: time(from),
    until: time(until),
    totals,
    series: series.map(({ start, ...of }) => ({ start: time(start), ...of })),
    domains,
    other_domains: otherDomains,
  }),
);
