import { StorageUnavailable } from "@posthorn/core/storage";

/** Texts remembered at the most; beyond it, the oldest is forgotten and may be asked again. */
const textsAtMost = 500;

/** Reads that waited in vain for a table that somebody keeps locked. */
export interface StuckReads {
  /**
   * Says that a read is about to go out; call what it answers with how that went: `failed` tells nothing of the table. Throws
   * `StorageUnavailable` where its text was last in vain, and another is finding out whether it still is.
   */
  enter(text: string): (outcome: "answered" | "in vain" | "failed") => void;
}

/**
 * A read waits for nobody's rows, only for a whole table. Where one waited in vain, the next goes out alone, and whoever comes
 * meanwhile is refused at once: else they would take every connection, one after the other, and keep readers of other tables waiting.
 */
export const createStuckReads = (): StuckReads => {
  const stuck = new Map<string, { isAsking: boolean }>();
  return {
    enter(text) {
      const known = stuck.get(text);
      if (known?.isAsking) throw new StorageUnavailable("a table that is read is locked");
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
