import { addNotifications } from "../../calls/outbox.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import { createNotifications, type EventOrigin } from "../email-events.ts";

/**
 * Cancels those of the e-mails that wait, including ones that a server may have accepted without a reply, because
 * nothing more of them is to be sent. Returns the number of cancelled e-mails; those that a worker has claimed are not
 * among them.
 */
export function cancelWaiting(
  { runtime, changePiece }: Pick<ReadContext, "runtime" | "changePiece">,
  workspaceId: number | "all",
  ids: readonly string[],
  origin: EventOrigin,
): Promise<number> {
  return changePiece(async (storage, outbox) => {
    const now = runtime.queueClock.now();
    const happened = [];
    for (const id of ids) {
      if ((await storage.emails.cancel(workspaceId, id, now, { evenInDoubt: true })) !== "cancelled")
        continue;
      const email = await storage.emails.find(workspaceId, id, now);
      if (email !== undefined) happened.push({ type: "email.cancelled", email, at: runtime.now() } as const);
    }
    addNotifications(outbox, await createNotifications(runtime, storage, happened, origin));
    return happened.length;
  });
}
