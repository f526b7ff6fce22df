import { type Removal, StorageUnavailable } from "../../ports/storage.ts";
import { pauseAfter } from "../pause-after.ts";

/** Ms for which a piece may block the event loop, and that it may take if it does not block it. */
const maxStall = 15;
const maxMs = 250;
/** Ms between two checks whether the event loop is blocked. */
const lookMs = 5;

/** How often in a row a piece is repeated that found the storage unavailable. */
const repeats = 5;

/** Sizes of pieces in rows. */
export interface PieceSizes {
  first: number;
  least: number;
  most: number;
}

const rows: PieceSizes = { first: 250, least: 100, most: 5_000 };

/** Runs one piece. `ms` is its duration, `stall` the longest time for which it blocked the event loop. */
async function watched<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; stall: number }> {
  const begun = performance.now();
  let last = begun;
  let stall = 0;
  const look = (): void => {
    const now = performance.now();
    stall = Math.max(stall, now - last - lookMs);
    last = now;
  };
  const timer = setInterval(look, lookMs);
  try {
    const result = await work();
    look();
    return { result, ms: performance.now() - begun, stall };
  } finally {
    clearInterval(timer);
  }
}

/**
 * Removes rows in pieces, each in a transaction of its own, until none is left. Returns the number of rows. Pieces grow
 * as long as neither the event loop nor other transactions wait for them, so that removal keeps pace with new rows, and
 * shrink otherwise. A pause follows each that removed some. A piece that met a lock of others for too long is repeated,
 * because on a busy database there is one in most rounds, and the round would end there.
 */
export async function inPieces<Place = number>(
  remove: (limit: number, after: Place | undefined) => Promise<number | Removal<Place>>,
  stopped: () => boolean,
  sizes: PieceSizes = rows,
  pause: (ms: number) => Promise<void> = pauseAfter,
): Promise<number> {
  let size = sizes.first;
  let total = 0;
  let failed = 0;
  for (let next: Place | undefined, going = true; going && !stopped(); ) {
    const limit = size;
    const piece = await watched(() => remove(limit, next)).catch((error: unknown) => {
      failed += 1;
      if (!(error instanceof StorageUnavailable) || failed > repeats) throw error;
      return undefined;
    });
    if (piece === undefined) {
      size = sizes.least;
      await pause(maxMs);
      continue;
    }
    failed = 0;
    const { result, ms, stall } = piece;
    const removed = typeof result === "number" ? result : result.removed;
    total += removed;
    if (typeof result === "number") going = result >= limit;
    else {
      next = result.next;
      going = next !== undefined;
    }
    if (stall > maxStall || ms > maxMs) size = Math.max(sizes.least, Math.ceil(size / 2));
    else if (stall < maxStall / 2 && ms < maxMs / 2) size = Math.min(sizes.most, size * 2);
    // After the last, too: thousands of workspaces may have a few rows each.
    if ((going || removed > 0) && !stopped()) await pause(ms);
  }
  return total;
}
