import { setFlagsFromString } from "node:v8";
import { sizeYoungGeneration } from "./young-generation.ts";

/**
 * What V8 is told of a process that stays, in all its threads. What each is worth stands in docs/scaling.md; all are read when V8 decides, so
 * that they hold without being given to Node.
 */
export const v8Options = [
  // What outlived the young generation is collected once it is as much as what lives. By itself V8 lets it grow to four times of that, as
  // long as there is much to do: a quarter of the process was garbage, and CPU is the same.
  "--heap-growing-percent=100",
  // Calls before a function is compiled by the slow compiler, instead of 3,000. A mail runs through some 300 functions in each thread. When
  // they are compiled that early, from what the first calls were like, a third of them have to be compiled again.
  "--invocation-count-for-turbofan=30000",
];

/** Sets V8 for a process that stays: `serve`, `worker`, `dev`. Commands that end at once fare best as V8 is. */
export function tuneV8(): void {
  sizeYoungGeneration();
  for (const option of v8Options) setFlagsFromString(option);
}
