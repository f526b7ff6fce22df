import { ServiceError } from "@posthorn/core";

/** A body that is still coming in. */
export interface UnfinishedBody {
  /** Counts a chunk that is kept. */
  add(bytes: number): void;
  /** The body is complete, or given up. */
  close(): void;
}

/** Bounds what unfinished bodies hold together. */
export interface BodyBudget {
  /** Begins to count a body; `cut` is called where it has to make room. */
  open(cut: (error: ServiceError) => void): UnfinishedBody;
}

interface Entry {
  bytes: number;
  since: number;
  cut: (error: ServiceError) => void;
}

/** Overhead of a chunk besides its bytes: a body may arrive in tiny chunks. */
const chunkOverhead = 256;

/**
 * Makes a budget. Where it is exceeded, the body that holds most for longest is given up, with a 503: a newcomer is never refused for what
 * somebody else lets lie about.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const entries = new Set<Entry>();
  let total = 0;

  function remove(entry: Entry): void {
    if (entries.delete(entry)) total -= entry.bytes;
  }

  function makeRoom(): void {
    const now = performance.now();
    const weight = (entry: Entry): number => entry.bytes * (now - entry.since);
    while (total > maxBytes && entries.size > 0) {
      const heaviest = [...entries].reduce((one, other) => (weight(other) > weight(one) ? other : one));
      remove(heaviest);
      heaviest.cut(
        new ServiceError("unavailable", { message: "Too much is being sent at once.", retryAfter: 1 }),
      );
    }
  }

  return {
    open(cut) {
      const entry: Entry = { bytes: 0, since: performance.now(), cut };
      entries.add(entry);
      return {
        add(bytes) {
          if (!entries.has(entry)) return;
          entry.bytes += bytes + chunkOverhead;
          total += bytes + chunkOverhead;
          if (total > maxBytes) makeRoom();
        },
        close: () => remove(entry),
      };
    },
  };
}
