import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Row } from "../../../tables.ts";
import { forgetSealed } from "../../queue/email-queue/settle.ts";
import { countEmails } from "./count.ts";
import { insertOutcomes } from "./insert-outcomes.ts";

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

const findAccepted = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("email_recipients")
    .select("email_id")
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
    .where("state", "=", "accepted"),
);

/** Cancelled e-mails with their outcomes, and the ids of those that a server may have accepted. */
interface Cancelled {
  ended: { row: Row<"emails">; status: "cancelled" | "partially_sent" }[];
  inDoubt: ReadonlySet<number>;
}

/**
 * Cancels those of the e-mails that no worker has, unless a server may have accepted them. One that some recipients got
 * is partially sent. Does not depend on any clock. Call it in a transaction.
 */
export async function cancelRows(
  db: Handle,
  engine: Engine,
  all: number[],
  { now, evenInDoubt = false }: { now: number; evenInDoubt?: boolean },
): Promise<Cancelled> {
  const waiting = (await lockInQueue(db, engine, { ids: all })).map((row) => row.email_id);
  // An attempt is recorded in the transaction that puts its e-mail back into the queue.
  const attempts = evenInDoubt ? [] : await findDoubts(db, engine, { ids: waiting });
  const inDoubt = new Set(attempts.flatMap((row) => (row.in_doubt ? [row.email_id] : [])));
  const ids = waiting.filter((one) => !inDoubt.has(one));
  if (ids.length === 0) return { ended: [], inDoubt };
  await takeFromQueue(db, engine, { ids });
  const accepted = new Set((await findAccepted(db, engine, { ids })).map((row) => row.email_id));
  const ended = (await findRows(db, engine, { ids })).map(
    (row) => ({ row, status: accepted.has(row.id) ? "partially_sent" : "cancelled" }) as const,
  );
  await insertOutcomes(
    db,
    engine,
    ended.map(({ row, status }) => ({
      email_id: row.id,
      workspace_id: row.workspace_id,
      status,
      settled_at: now,
    })),
  );
  await settleRecipients(db, engine, { ids, now });
  await forgetSealed(db, engine, ids);
  await countEmails(
    db,
    engine,
    ended.map(({ row, status }) => ({ workspaceId: row.workspace_id, status, change: 1 })),
  );
  return { ended, inDoubt };
}
