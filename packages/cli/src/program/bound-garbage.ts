import { setFlagsFromString } from "node:v8";

/** By how much the heap may grow, in percent of what lives, before all of it is collected. */
export const growthPercent = 100;

/**
 * Has V8 collect what outlived the young generation once it is as much as what lives. By itself it lets it grow to four times of that, as long
 * as there is much to do: a quarter of the process was garbage, and CPU is the same (docs/scaling.md). Read at each collection.
 */
export const boundGarbage = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
