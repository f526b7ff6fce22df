import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { type EndedRows, foreseeRemoval } from "./foresee-removal.ts";
import { removeOld } from "./remove-old.ts";

/** What came of a run, or would come of it. */
export interface RetentionRun {
  /** Rows that were removed, where it was no dry run. */
  removed: number;
  /** What would be removed, by table and clock; of a dry run. */
  ended: EndedRows[];
}

/**
 * Removes what is kept no longer, at once instead of within the hour (platform.md P12). A dry run tells what that would be, by table and
 * clock, and removes nothing.
 */
export const runRetention = useCase({
  access: "administrator",
  // Each piece has a transaction of its own.
  reads: true,
  input: z.strictObject({
    dryRun: z
      .boolean()
      .default(false)
      .describe("Whether nothing is removed, and only told what would be. Default false."),
  }),
  async run({ runtime: { queueClock, config }, outside }, { dryRun }): Promise<RetentionRun> {
    const retaining = { storage: outside, queueClock, config };
    if (dryRun) return { removed: 0, ended: await foreseeRemoval(retaining) };
    return { removed: await removeOld(retaining), ended: [] };
  },
});
