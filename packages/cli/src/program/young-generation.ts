import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** MB of one of the two halves between which V8 moves live objects. */
export const halfMb = 16;

/**
 * Lets V8's young generation grow to 16 MB a half at once, and no further: at the 1 MB that it begins with, all that belongs to a mail under
 * way outlives it and is collected with everything else, which takes a sixth more CPU a mail; at the 32 MB that V8 would go to, a process
 * takes more memory and is no faster (docs/scaling.md). Size flags are read at the start alone, the factor of growth at each growth.
 */
export function sizeYoungGeneration(): void {
  grow(halfMb);
  // V8 shrinks the young generation while the process is idle.
  new PerformanceObserver(() => grow(bothHalvesMb() < 2 * halfMb ? halfMb : 1)).observe({
    entryTypes: ["gc"],
  });
}

const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function bothHalvesMb(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return (young?.space_size ?? 0) / 1024 / 1024;
}
