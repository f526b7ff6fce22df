import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { insertAttempts, interruptedAttempt } from "./attempts.ts";
import { forgetSealedData } from "./settle.ts";

const takeFromQueue = prepared((db, { emailId, now }: { emailId: number; now: number }) =>
  db
    .deleteFrom("email_queue")
    .where("email_id", "=", emailId)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
    .returning(["attempts", "worker", "claimed_at"]),
);

/** Takes an e-mail out of the queue, if no worker has it; whether this call did. */
export const cancelEmail = (
  db: Handle,
  engine: Engine,
  workspaceId: number | undefined,
  id: string,
  now: number,
): Promise<boolean> =>
  atomically(db, async (tx) => {
    const emailId = await findEmailId(tx, workspaceId, id);
    if (emailId === undefined) return false;
    const [row] = await takeFromQueue(tx, engine, { emailId, now });
    if (row === undefined) return false;
    if (row.worker !== null)
      await insertAttempts(tx, engine, [{ emailId, attempt: interruptedAttempt(row) }]);
    await tx.updateTable("emails").set({ status: "cancelled" }).where("id", "=", emailId).execute();
    await tx
      .updateTable("email_recipients")
      .set({ state: "cancelled", settled_at: now })
      .where("email_id", "=", emailId)
      .where("settled_at", "is", null)
      .execute();
    await forgetSealedData(tx, engine, [emailId]);
    return true;
  });

/** Puts a failed e-mail's unsettled and failed recipients back into the queue; whether it was failed or partially sent. */
export const retryEmail = (
  db: Handle,
  workspaceId: number | undefined,
  id: string,
  now: number,
): Promise<boolean> =>
  atomically(db, async (tx) => {
    const emailId = await findEmailId(tx, workspaceId, id);
    if (emailId === undefined) return false;
    const requeued = await tx
      .updateTable("emails")
      .set({ status: "queued", sent_at: null })
      .where("id", "=", emailId)
      .where("status", "in", ["failed", "partially_sent"])
      .returning("id")
      .execute();
    if (requeued.length === 0) return false;
    await tx
      .updateTable("email_recipients")
      .set({ state: "pending", settled_at: null })
      .where("email_id", "=", emailId)
      .where("state", "in", ["pending", "deferred", "failed"])
      .execute();
    const last = await tx
      .selectFrom("email_attempts")
      .select("number")
      .where("email_id", "=", emailId)
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    const attempts = last?.number ?? 0;
    // The former queue row is gone, and its fence with it: the time is beyond any count of claims.
    await tx
      .insertInto("email_queue")
      .values({ email_id: emailId, due_at: now, attempts, fence: now + attempts })
      .execute();
    return true;
  });

async function findEmailId(
  db: Handle,
  workspaceId: number | undefined,
  id: string,
): Promise<number | undefined> {
  let query = db.selectFrom("emails").select("id").where("uuid", "=", id);
  if (workspaceId !== undefined) query = query.where("workspace_id", "=", workspaceId);
  return (await query.executeTakeFirst())?.id;
}

const oldSettled = prepared((db, values: { workspaceId: number; before: number; limit: number }) =>
  db
    .deleteFrom("emails")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("emails")
        .select("id")
        .where("workspace_id", "=", values.workspaceId)
        .where("created_at", "<", values.before)
        .where("status", "<>", "queued")
        // Ids grow with time: nothing behind the first younger one needs to be read.
        .where(
          "id",
          "<=",
          eb.fn.coalesce(
            eb
              .selectFrom("emails")
              .select("id")
              .where("workspace_id", "=", values.workspaceId)
              .where("created_at", ">=", values.before)
              .orderBy("id")
              .limit(1),
            sql<number>`9007199254740991`,
          ),
        )
        .orderBy("id")
        .limit(values.limit),
    )
    .returning("id"),
);

const countDeleted = prepared((db, values: { workspaceId: number; deleted: number }) =>
  db
    .updateTable("email_counts")
    .set({ total: sql<number>`total - ${values.deleted}` })
    .where("workspace_id", "=", values.workspaceId),
);

/** Removes settled e-mails of a workspace created before `before`, with recipients and attempts; how many. */
export const deleteEmailsBefore = (
  db: Handle,
  engine: Engine,
  workspaceId: number,
  before: number,
  limit: number,
): Promise<number> =>
  atomically(db, async (tx) => {
    const deleted = (await oldSettled(tx, engine, { workspaceId, before, limit })).length;
    if (deleted > 0) await countDeleted(tx, engine, { workspaceId, deleted });
    return deleted;
  });
