// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { MailMetricsView } from "../mail/metrics/get-metrics.ts";
import type { CallShapes } from "./call-options.ts";

/** What `get` takes. */
export interface GetMetricsInput {
  /** Start of the period, ISO 8601, a `Date` or ms since the epoch; counted by whole hours. Default: 24 hours ago. */
  from?: string | Date | number | undefined;
  /** End of the period, ISO 8601, a `Date` or ms since the epoch, at most 92 days after the start. Default: now. */
  until?: string | Date | number | undefined;
  /** Unit of the series. Days are in UTC. Default hour. */
  by?: "hour" | "day" | undefined;
}

/** Delivery figures. */
export interface MetricsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Reads the workspace's delivery figures by hour or day and by domain, from counts that are written with each
   * outcome (platform.md P12).
   */
  get(this: void, input?: GetMetricsInput, ...call: K["workspace"]): Promise<MailMetricsView>;
}
