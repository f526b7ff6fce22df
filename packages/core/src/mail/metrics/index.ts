import { getMetrics } from "./get-metrics.ts";

/** Delivery figures. */
export const metrics = { get: getMetrics } as const;
