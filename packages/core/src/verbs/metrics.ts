// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { MailMetricsView } from "../mail/metrics/get-metrics.ts";
import type { CallShapes } from "./call-options.ts";

/** What `get` takes. */
export interface GetMetricsInput {
  /** The beginning, ISO 8601; counted by whole hours. Default: 24 hours ago. */
  from?: string | Date | number | undefined;
  /** The end, ISO 8601, at most 92 days after the beginning. Default: now. */
  until?: string | Date | number | undefined;
  /** What the series counts by. Days are those of UTC. Default hour. */
  by?: "hour" | "day" | undefined;
}

/** Delivery figures. */
export interface MetricsVerbs<K extends CallShapes = CallShapes> {
  /**
   * The workspace's delivery figures by hour or day and by domain, from counts that are written with each outcome
   * (platform.md P12).
   */
  get(input?: GetMetricsInput, ...call: K["workspace"]): Promise<MailMetricsView>;
}
