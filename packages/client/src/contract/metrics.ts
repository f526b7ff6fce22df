// Printed by `npm run docs:routes` from the table of routes.
import type { MailMetrics } from "./schemas.ts";

/** Lines of the contract about metrics. */
export interface MetricsLines {
  /** Read delivery metrics by time and domain. */
  "GET /workspaces/current/metrics": {
    fields: {
      /** The beginning, ISO 8601; counted by whole hours. Default: 24 hours ago. */
      from?: string | undefined;
      /** The end, ISO 8601, at most 92 days after the beginning. Default: now. */
      until?: string | undefined;
      /** What the series counts by. Days are those of UTC. Default hour. */
      by?: "hour" | "day" | undefined;
    };
    reply: MailMetrics;
  };
}
