import { ServiceError } from "@posthorn/core";

/** A body that is still being received. */
export interface UnfinishedBody {
  /** Counts memory that it holds from now on; negative if it holds less. */
  add(bytes: number): void;
  /** Ends the count: the body is complete, or was given up. */
  close(): void;
}

/** Limits the memory of all unfinished bodies together. */
export interface BodyBudget {
  /** Starts to count a body; `cut` is called if it must be given up. */
  open(cut: (error: ServiceError) => void): UnfinishedBody;
}

interface Entry {
  /** Its index in the list. */
  at: number;
  bytes: number;
  since: number;
  cut: (error: ServiceError) => void;
}

const mebibyte = 1024 * 1024;
const mostBytes = 128 * mebibyte;
/** More than the longest body that is read as a whole: alone, it always has room. */
const leastBytes = 32 * mebibyte;
/** The part of a process's memory: what is made of a body takes up to nine times as much, beside the process itself. */
const share = 16;

/**
 * Returns how many bytes unfinished bodies may hold, by the memory that this process may use (0 for no limit) and that
 * of the machine, in bytes: in a container of half a gigabyte, one caller's sends with files had the process killed.
 */
export function bodyBytesFor(memory: { process: number; machine: number }): number {
  const limit = Math.min(memory.process > 0 ? memory.process : Number.POSITIVE_INFINITY, memory.machine);
  return Math.max(leastBytes, Math.min(mostBytes, Math.floor(limit / share)));
}

/**
 * Creates a budget. If it is exceeded, the body that has held the most memory for the longest time is given up with a
 * 503, so that a newcomer is not refused because of others' idle uploads.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  // Not a Set: each table that V8 outgrows refers to its successor. Once one is in the old generation, it keeps all
  // later requests from young collections.
  const entries: Entry[] = [];
  let total = 0;

  function remove(entry: Entry): void {
    const last = entries.at(-1);
    if (entries[entry.at] !== entry || last === undefined) return;
    entries[entry.at] = last;
    last.at = entry.at;
    entries.pop();
    total -= entry.bytes;
  }

  function makeRoom(): void {
    const now = performance.now();
    const weight = (entry: Entry): number => entry.bytes * (now - entry.since);
    while (total > maxBytes && entries.length > 0) {
      const heaviest = entries.reduce((one, other) => (weight(other) > weight(one) ? other : one));
      remove(heaviest);
      heaviest.cut(
        new ServiceError("unavailable", { message: "Too much is being sent at once.", retryAfter: 1 }),
      );
    }
  }

  return {
    open(cut) {
      const entry: Entry = { at: entries.length, bytes: 0, since: performance.now(), cut };
      entries.push(entry);
      return {
        add(bytes) {
          if (entries[entry.at] !== entry) return;
          entry.bytes += bytes;
          total += bytes;
          if (total > maxBytes) makeRoom();
        },
        close: () => remove(entry),
      };
    },
  };
}
