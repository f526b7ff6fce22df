import type { Work } from "./work.ts";

/** How many claimed items may wait for a slot. */
export interface Ahead {
  /** Number of waiting items from which on the line is full. */
  enough(): number;
  /** Number of items that the next claim takes. */
  size(): number;
  /** Reports that the line is full: how fast it empties shows how much it has to hold. */
  filled(): void;
  /** Reports that the line has room again. */
  drained(): void;
}

/** Smallest claim, as a part (1 / `leastPart`) of the slots. */
const leastPart = 10;
/** How many times as large as the last a claim may be: items often end many at a time. */
const growth = 2;

/**
 * Creates it for a loop whose line is to hold what begins within `aheadMs`. A longer line saves no claims where items take
 * long, such as through a slow mail server: it only keeps them from other workers, from whoever cancels or pauses them, and
 * all of it counts as tried if the process is killed.
 */
export function createAhead(
  { slots, batch, aheadMs }: Pick<Work<never, never>, "slots" | "batch" | "aheadMs">,
  { begun, free, monotonic }: { begun(): number; free(): number; monotonic(): number },
): Ahead {
  const least = Math.min(batch, Math.ceil(slots / leastPart));
  let size = batch;
  /** When the line got full, and how many items had begun by then. */
  let full: { at: number; begun: number } | undefined;
  return {
    enough: () => Math.min(slots, size),
    // Free slots are filled by one claim.
    size: () => Math.min(batch, Math.max(size, free())),
    filled() {
      if (aheadMs !== undefined) full ??= { at: monotonic(), begun: begun() };
    },
    drained() {
      if (full === undefined || aheadMs === undefined) return;
      const ms = Math.max(1, monotonic() - full.at);
      const inTime = Math.ceil(((begun() - full.begun) * aheadMs) / ms);
      size = Math.min(batch, growth * size, Math.max(least, inTime));
      full = undefined;
    },
  };
}
