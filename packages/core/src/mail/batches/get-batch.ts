import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import type { Repositories } from "../../ports/storage.ts";

export const batchId = uuidField.describe("The batch's id, a UUID.");

/** A batch with the delivery status of its e-mails. */
export interface BatchView {
  /** The batch's id, a UUID. */
  id: string;
  /** ms since the epoch. */
  createdAt: number;
  /**
   * Numbers of e-mails. `queued` includes scheduled ones, `sent` those that only some recipients got. `bounced` ones
   * are also counted by their status.
   */
  counts: Record<BatchCount, number>;
}

/** Counted values: `total` is the number of requested e-mails, of which `skipped` were not accepted. */
export type BatchCount =
  | "total"
  | "queued"
  | "sending"
  | "sent"
  | "failed"
  | "bounced"
  | "suppressed"
  | "cancelled"
  | "skipped";

/** Reads a batch's delivery status, counted from its e-mails that are still in the log (platform.md P2). */
export const getBatch = useCase({
  access: "api_key",
  reads: true,
  input: z.strictObject({ batchId }),
  async run({ storage, workspace, runtime }, { batchId: id }): Promise<BatchView> {
    const batch = await findBatchOrThrow(storage, workspace.id, id);
    const { total, accepted, createdAt } = batch;
    const { byStatus, bounced } = await storage.batches.counts(batch, runtime.queueClock.now());
    const count = (...statuses: Parameters<typeof byStatus.get>[0][]): number =>
      statuses.reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0);
    const counts = {
      total,
      queued: count("queued", "scheduled"),
      sending: count("sending"),
      sent: count("sent", "partially_sent"),
      failed: count("failed"),
      bounced,
      suppressed: count("suppressed"),
      cancelled: count("cancelled"),
      skipped: total - accepted,
    };
    return { id, createdAt, counts };
  },
});

/** Returns the batch; throws `not_found`. */
export async function findBatchOrThrow(
  { batches }: Pick<Repositories, "batches">,
  workspaceId: number,
  id: string,
) {
  return orNotFound(await batches.find(workspaceId, id), `batch ${id}`);
}
