import { runRetention } from "./run-retention.ts";

/** Retention: removal of expired data, for operators. */
export const retention = { run: runRetention } as const;
