import type { EmailToPerson, Withdrawn } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countEmails } from "../mail/emails/count.ts";
import { forgetSealed } from "../queue/email-queue/settle.ts";

/** Whether a worker has the e-mail, or had it just now. If not, it is deleted, or a damaged database lost its place. */
async function stands(db: Handle, row: number): Promise<boolean> {
  const within = (table: "claim_items" | "email_queue" | "email_outcomes") =>
    db.selectFrom(table).select("email_id").where("email_id", "=", row);
  const places = within("claim_items").unionAll(within("email_queue")).unionAll(within("email_outcomes"));
  return (await places.execute()).length > 0;
}

/**
 * Removes one recipient from a waiting e-mail. The row of the queue is locked before a worker's claim can take it, and
 * the outcome before the e-mail is queued again: one that has neither is claimed by a worker, and stays unchanged.
 */
export const withdraw = (
  db: Handle,
  engine: Engine,
  { row, position }: EmailToPerson,
  now: number,
): Promise<Withdrawn> =>
  atomically(db, async (tx) => {
    const waiting = await engine
      .forUpdate(tx.selectFrom("email_queue").select("email_id").where("email_id", "=", row))
      .executeTakeFirst();
    if (waiting === undefined) {
      const outcome = await engine
        .forUpdate(tx.selectFrom("email_outcomes").select("email_id").where("email_id", "=", row))
        .executeTakeFirst();
      return outcome === undefined && (await stands(tx, row)) ? "in_hand" : "settled";
    }
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
    if (recipients.some(({ settled_at }) => settled_at === null)) return "waiting";
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
