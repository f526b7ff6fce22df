import { type SqlBool, sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Database } from "../../../tables.ts";
import { loosenContents } from "../../content/loosen-contents.ts";
import { loosenSets } from "../attachments/loosen.ts";
import { type CountedStatus, countEmails } from "./count.ts";

/** What belongs to e-mails, by their row ids: no foreign key says so (see `migrations/baseline/emails.ts`). */
const belongings = [
  "email_payloads",
  "email_outcomes",
  "email_recipients",
  "email_attempts",
  "recipient_reports",
  "email_queue",
  "claim_items",
] as const satisfies (keyof Database)[];

const removeEach = belongings.map((table) =>
  prepared((db, { ids }: { ids: number[] }, engine) =>
    db.deleteFrom(table).where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
  ),
);

const removeRows = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .deleteFrom("emails")
    .where((eb) => engine.anyOf(eb.ref("id"), ids))
    .returning(["id", "content_id", "stylesheet_set_id", "attachment_set_id"]),
);

/** Removes e-mails with all that belongs to them, in the caller's transaction; how many there were. */
export async function removeEmails(db: Handle, engine: Engine, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  for (const remove of removeEach) await remove(db, engine, { ids });
  const removed = await removeRows(db, engine, { ids });
  await loosenContents(
    db,
    engine,
    "content",
    removed.map((row) => row.content_id),
  );
  await loosenContents(
    db,
    engine,
    "set",
    removed.map((row) => row.stylesheet_set_id),
  );
  await loosenSets(
    db,
    engine,
    removed.map((row) => row.attachment_set_id),
  );
  return removed.length;
}

/** Removes settled e-mails created before `before`, oldest first; how many. */
export const deleteEmailsBefore = (
  db: Handle,
  engine: Engine,
  { workspaceId, before, limit }: { workspaceId: number | undefined; before: number; limit: number },
): Promise<number> =>
  atomically(db, async (tx) => {
    const old = await findOldSettled(tx, { workspaceId, before, limit });
    const deleted = await removeEmails(
      tx,
      engine,
      old.map(({ id }) => id),
    );
    await countEmails(
      tx,
      engine,
      old.flatMap(({ status }) => [
        { workspaceId, status: "accepted" as const, change: -1 },
        { workspaceId, status: status as CountedStatus, change: -1 },
      ]),
    );
    return deleted;
  });

async function findOldSettled(
  db: Handle,
  { workspaceId, before, limit }: { workspaceId: number | undefined; before: number; limit: number },
): Promise<{ id: number; status: string }[]> {
  const ofWorkspace =
    workspaceId === undefined
      ? sql<SqlBool>`e.workspace_id is null`
      : sql<SqlBool>`e.workspace_id = ${workspaceId}`;
  // Ids grow with time: nothing behind the first younger one needs to be read.
  const younger = await db
    .selectFrom("emails as e")
    .select("e.id")
    .where(ofWorkspace)
    .where("e.created_at", ">=", before)
    .orderBy("e.id")
    .limit(1)
    .executeTakeFirst();
  let old = db
    .selectFrom("emails as e")
    .innerJoin("email_outcomes as o", "o.email_id", "e.id")
    .select(["e.id", "o.status"])
    .where(ofWorkspace)
    .where("e.created_at", "<", before);
  if (younger !== undefined) old = old.where("e.id", "<", younger.id);
  return old.orderBy("e.id").limit(limit).execute();
}

const findOfWorkspace = prepared((db, values: { workspaceId: number; limit: number }) =>
  db.selectFrom("emails").select("id").where("workspace_id", "=", values.workspaceId).limit(values.limit),
);

/** E-mails removed in one round, so that no list of ids grows with the workspace. */
const roundSize = 1_000;

/** Removes all e-mails of a workspace, waiting ones too, in the caller's transaction, which keeps new ones out. */
export async function removeEmailsOf(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  for (let removed = roundSize; removed === roundSize; ) {
    const rows = await findOfWorkspace(db, engine, { workspaceId, limit: roundSize });
    removed = await removeEmails(
      db,
      engine,
      rows.map(({ id }) => id),
    );
  }
}
