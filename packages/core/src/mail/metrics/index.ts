import { getMetrics } from "./get-metrics.ts";

/** What became of mail, in numbers. */
export const metrics = { get: getMetrics } as const;
