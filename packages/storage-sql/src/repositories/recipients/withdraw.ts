import type { EmailToPerson } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countEmails } from "../mail/emails/count.ts";
import { forgetSealed } from "../queue/email-queue/settle.ts";

/**
 * Removes one recipient from a waiting e-mail. An e-mail claimed by a worker is not in the queue, and stays unchanged.
 */
export const withdraw = (
  db: Handle,
  engine: Engine,
  { row, position }: EmailToPerson,
  now: number,
): Promise<"cancelled" | "partially_sent" | undefined> =>
  atomically(db, async (tx) => {
    const waiting = await engine
      .forUpdate(tx.selectFrom("email_queue").select("email_id").where("email_id", "=", row))
      .executeTakeFirst();
    if (waiting === undefined) return undefined;
    await tx
      .updateTable("email_recipients")
      .set({ state: "cancelled", settled_at: now })
      .where("email_id", "=", row)
      .where("position", "=", position)
      .where("settled_at", "is", null)
      .execute();
    const recipients = await tx
      .selectFrom("email_recipients")
      .select(["state", "settled_at", "workspace_id"])
      .where("email_id", "=", row)
      .execute();
    if (recipients.some(({ settled_at }) => settled_at === null)) return undefined;
    const status = recipients.some(({ state }) => state === "accepted") ? "partially_sent" : "cancelled";
    const workspaceId = recipients[0]?.workspace_id ?? null;
    await tx.deleteFrom("email_queue").where("email_id", "=", row).execute();
    await tx
      .insertInto("email_outcomes")
      .values({ email_id: row, workspace_id: workspaceId, status, settled_at: now })
      .execute();
    await forgetSealed(tx, engine, [row]);
    await countEmails(tx, engine, [{ workspaceId, status, change: 1 }]);
    return status;
  });
