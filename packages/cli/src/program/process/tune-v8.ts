import { setFlagsFromString } from "node:v8";

/**
 * V8 options for a long-running process, in all its threads. docs/scaling.md has the effect of each. V8 reads them at
 * each decision, so they work without being passed to Node.
 */
export const v8Options = [
  // The old generation is collected when its garbage equals its live data. By default V8 lets it grow to four times
  // that under load: a quarter of the process was garbage, at the same CPU time.
  "--heap-growing-percent=100",
  // Calls after which the optimising compiler compiles a function, instead of 3,000. An e-mail runs through some 300
  // functions in each thread. Compiled so early, from what the first calls were like, a third of them must be compiled
  // again.
  "--invocation-count-for-turbofan=30000",
  // While the program loads, nearly all objects outlive young collections. By that V8 learns to create those of the same
  // places in the old generation, and keeps to it: objects of each e-mail would follow, and what they refer to.
  "--no-allocation-site-pretenuring",
  // While the program loads, the young generation stays small: `sizeYoungGeneration` lets it grow when work begins. The
  // thread of `serve` that only answers keeps it small until it has much to answer.
  "--semi-space-growth-factor=1",
];

/** Tunes V8 for a long-running process: `serve`, `worker`, `dev`. Commands that end soon do best with V8's defaults. */
export function tuneV8(): void {
  for (const option of v8Options) setFlagsFromString(option);
}
