import { StorageUnavailable } from "@posthorn/core/storage";

/** Maximum number of texts remembered; beyond it, the oldest is forgotten and may be tried again. */
const textsAtMost = 500;

/** Reads that timed out on a table that somebody keeps locked. */
export interface StuckReads {
  /**
   * Announces a read; call the returned function with its result, where `failed` says nothing about the table. Throws
   * `StorageUnavailable` if the text last timed out and another read is just testing whether it still does.
   */
  enter(text: string): (outcome: "answered" | "in vain" | "failed") => void;
}

/**
 * A read never waits for row locks, only for a lock on a whole table. After one timed out, the next goes out alone, and
 * others are refused at once meanwhile: else they would take all connections one by one, and block readers of other
 * tables.
 */
export const createStuckReads = (): StuckReads => {
  const stuck = new Map<string, { isAsking: boolean }>();
  return {
    enter(text) {
      const known = stuck.get(text);
      if (known?.isAsking)
        throw new StorageUnavailable("the last such read got no answer: somebody may keep a table locked");
      if (known !== undefined) known.isAsking = true;
      return (outcome) => {
        if (outcome === "answered") stuck.delete(text);
        if (known !== undefined) known.isAsking = false;
        if (outcome !== "in vain") return;
        stuck.set(text, { isAsking: false });
        const [oldest] = stuck.keys();
        if (stuck.size > textsAtMost && oldest !== undefined) stuck.delete(oldest);
      };
    },
  };
};
