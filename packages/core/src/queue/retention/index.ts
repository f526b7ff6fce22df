import { runRetention } from "./run-retention.ts";

/** What is kept no longer, for operators. */
export const retention = { run: runRetention } as const;
