import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { type EndedRows, previewRemoval } from "./preview-removal.ts";
import { removeOld } from "./remove-old.ts";
import { setRetentionTime } from "./retention-time.ts";

/** Result of a run or a dry run. */
export interface RetentionRun {
  /** Number of removed rows; 0 for a dry run. */
  removed: number;
  /** For a dry run: what would be removed, by table and retention period. */
  ended: EndedRows[];
}

/**
 * Removes expired data now instead of within the hour (platform.md P12), in short pieces that each have a transaction.
 * Inside a transaction of the host's, all of it is part of that, however long it takes. A dry run lists what would be
 * removed, by table and retention period, and removes nothing.
 */
export const runRetention = useCase({
  access: "administrator",
  // Each piece has a transaction of its own, unless the host has one.
  reads: true,
  input: z.strictObject({
    dryRun: z
      .boolean()
      .default(false)
      .describe("Whether to only count what would be removed, without removing it. Default false."),
  }),
  async run({ storage, runtime: { queueClock, config }, reclaim }, { dryRun }): Promise<RetentionRun> {
    const retaining = { storage, queueClock, config };
    if (dryRun) return { removed: 0, ended: await previewRemoval(retaining) };
    await setRetentionTime(storage.operations, queueClock.now());
    const { removed, failure } = await removeOld(retaining);
    if (removed > 0) await reclaim();
    if (failure !== undefined) throw failure.error;
    return { removed, ended: [] };
  },
});
