import type { ReadContext } from "../../calls/use-case.ts";
import { addEmailEvents, type EventOrigin } from "../email-events.ts";
import { cancelledEvents } from "./cancelled-events.ts";

/**
 * Cancels those of the e-mails that wait, including ones that a server may have accepted without a reply, because
 * nothing more of them is to be sent. Returns the number of cancelled e-mails; those that a worker has claimed are not
 * among them.
 */
export function cancelWaiting(
  { runtime, changePiece }: Pick<ReadContext, "runtime" | "changePiece">,
  ids: readonly string[],
  origin: EventOrigin,
): Promise<number> {
  return changePiece(async (storage, outbox) => {
    const now = runtime.queueClock.now();
    const cancelled = await storage.emails.cancelAll(ids, now);
    const happened = await cancelledEvents(storage, cancelled, now);
    await addEmailEvents(runtime, storage, outbox, happened, origin);
    return cancelled.length;
  });
}
