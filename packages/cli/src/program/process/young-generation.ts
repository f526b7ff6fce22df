import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** MB of one of the two halves between which V8 moves live objects. */
export const halfMb = 16;

/**
 * Lets V8's young generation grow to 16 MB per half at once, and no further. At its initial 1 MB, all objects of an
 * e-mail in progress outlive it and are collected with everything else, which takes a sixth more CPU per e-mail. At
 * V8's maximum of 32 MB, a process takes more memory and is no faster (docs/scaling.md). V8 reads the size flags only
 * at start, the growth factor at each growth.
 */
export function sizeYoungGeneration(): void {
  allowGrowth();
  // V8 shrinks it while there is little to do, and then lets it grow from there.
  new PerformanceObserver(allowGrowth).observe({ entryTypes: ["gc"] });
}

/** From what it has now to `halfMb` a half: a fixed factor would take it beyond that once it has shrunk a little. */
function allowGrowth(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  const nowMb = (young?.space_size ?? 0) / 2 / 1024 / 1024;
  const factor = Math.max(1, Math.floor(halfMb / Math.max(1, nowMb)));
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
