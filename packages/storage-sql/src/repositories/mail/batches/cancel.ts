import type { Email } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { forgetSealed } from "../../queue/email-queue/settle.ts";
import { countEmails } from "../emails/count.ts";
import { insertOutcomes } from "../emails/insert-outcomes.ts";
import { toEmail } from "../emails/rows.ts";

const findPiece = prepared((db, values: { id: string; after: number; limit: number }) =>
  db
    .selectFrom("emails")
    .select("id")
    .where("batch_id", "=", values.id)
    .where("id", ">", values.after)
    .orderBy("id")
    .limit(values.limit),
);

const lockInQueue = prepared((db, { ids }: { ids: number[] }, engine) =>
  engine.forUpdate(
    db
      .selectFrom("email_queue")
      .select("email_id")
      .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
      .orderBy("email_id"),
  ),
);

const findDoubts = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("email_attempts")
    .select(["email_id", "in_doubt"])
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
);

const takeFromQueue = prepared((db, { ids }: { ids: number[] }, engine) =>
  db.deleteFrom("email_queue").where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
);

const settleRecipients = prepared((db, { ids, now }: { ids: number[]; now: number }, engine) =>
  db
    .updateTable("email_recipients")
    .set({ state: "cancelled", settled_at: now })
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
    .where("settled_at", "is", null),
);

const findRows = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("emails")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("id"), ids))
    .orderBy("id"),
);

/** Like `cancelEmail`, for the next e-mails of a batch; call it in a transaction. */
export async function cancelWaiting(
  db: Handle,
  engine: Engine,
  { id, after, limit, now }: { id: string; after: number; limit: number; now: number },
): Promise<{ cancelled: Email[]; last: number | undefined }> {
  const piece = (await findPiece(db, engine, { id, after, limit })).map((row) => row.id);
  const last = piece.length < limit ? undefined : piece.at(-1);
  const waiting = (await lockInQueue(db, engine, { ids: piece })).map((row) => row.email_id);
  if (waiting.length === 0) return { cancelled: [], last };
  const attempts = await findDoubts(db, engine, { ids: waiting });
  const doubts = new Set(attempts.flatMap((row) => (row.in_doubt ? [row.email_id] : [])));
  const ids = waiting.filter((one) => !doubts.has(one));
  await takeFromQueue(db, engine, { ids });
  const rows = await findRows(db, engine, { ids });
  await insertOutcomes(
    db,
    engine,
    rows.map((row) => ({
      email_id: row.id,
      workspace_id: row.workspace_id,
      status: "cancelled",
      settled_at: now,
    })),
  );
  await settleRecipients(db, engine, { ids, now });
  await forgetSealed(db, engine, ids);
  await countEmails(
    db,
    engine,
    rows.map((row) => ({ workspaceId: row.workspace_id, status: "cancelled", change: 1 })),
  );
  return { cancelled: rows.map((row) => toEmail(row, { status: "cancelled", settledAt: now })), last };
}
