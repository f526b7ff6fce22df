// Printed by `npm run docs:routes` from the table of routes.
import type { MailMetrics } from "./schemas.ts";

/** Lines of the contract about metrics. */
export interface MetricsLines {
  /** Read delivery metrics by time and domain. */
  "GET /workspaces/current/metrics": {
    fields: {
      /** Start of the period, ISO 8601; counted by whole hours. Default: 24 hours ago. */
      from?: string | undefined;
      /** End of the period, ISO 8601, at most 92 days after the start. Default: now. */
      until?: string | undefined;
      /** Unit of the series. Days are in UTC. Default hour. */
      by?: "hour" | "day" | undefined;
    };
    reply: MailMetrics;
  };
}
