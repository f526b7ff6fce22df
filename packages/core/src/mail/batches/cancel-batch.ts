import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { createNotifications } from "../email-events.ts";
import { cancelledEvents } from "../emails/cancelled-events.ts";
import { batchId, findBatchOrThrow } from "./get-batch.ts";

/** E-mails cancelled in one transaction. */
const pieceSize = 256;

/** Result of cancelling a batch. */
export interface CancelledBatch {
  /** Number of waiting e-mails that are now cancelled. */
  cancelled: number;
}

/** Cancels a batch's waiting e-mails and returns their number (platform.md P2). Their quota is not given back. */
export const cancelBatch = useCase({
  access: "api_key",
  input: z.strictObject({ batchId }),
  async run(
    { storage, workspace, caller, client, runtime, record },
    { batchId: id },
  ): Promise<CancelledBatch> {
    const now = runtime.queueClock.now();
    await findBatchOrThrow(storage, workspace.id, id);
    let count = 0;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const piece = await storage.batches.cancel(id, { after, limit: pieceSize, now });
      const happened = await cancelledEvents(storage, piece.cancelled, now);
      if (happened.length > 0)
        record(await createNotifications(runtime, storage, happened, { caller, clientIp: client.ip }));
      count += piece.cancelled.length;
      after = piece.last;
    }
    return { cancelled: count };
  },
});
