import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Database } from "../../../tables.ts";
import { markReferencesForPruning, type References, references } from "../mark-references-for-pruning.ts";

/**
 * Claims go first, in the order that settling locks them; and once more after the queue, because a worker may just have
 * claimed an e-mail. Outcomes go before the e-mails, as an erasure locks them.
 */
const standing = [
  "claim_items",
  "email_queue",
  "claim_items",
  "email_outcomes",
] as const satisfies (keyof Database)[];

/**
 * Other rows that belong to e-mails, by row id, without foreign keys (see `migrations/baseline/emails.ts`). They go after
 * the e-mails, whose rows are locked by whoever adds to these tables or changes them: before, what was just being added
 * stayed behind for good, or the two waited for each other.
 */
const belongings = [
  "email_payloads",
  "email_recipients",
  "email_labels",
  "email_attempts",
  "recipient_reports",
  "email_hits",
] as const satisfies (keyof Database)[];

interface IdRange {
  first: number;
  last: number;
}

/** Deletes by ids wherever they are; or a whole id range that holds nothing else, with one scan per table. */
const removeFrom = (table: (typeof standing | typeof belongings)[number]) => ({
  ids: prepared((db, { ids }: { ids: number[] }, engine) =>
    db.deleteFrom(table).where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
  ),
  stretch: prepared((db, { first, last }: IdRange) =>
    db.deleteFrom(table).where("email_id", ">=", first).where("email_id", "<=", last),
  ),
});

const removeStanding = standing.map(removeFrom);
const removeBelongings = belongings.map(removeFrom);

const removedColumns = [...references, "batch_id"] as const;

const removeRows = {
  ids: prepared((db, { ids }: { ids: number[] }, engine) =>
    db
      .deleteFrom("emails")
      .where((eb) => engine.anyOf(eb.ref("id"), ids))
      .returning(removedColumns),
  ),
  stretch: prepared((db, { first, last }: IdRange) =>
    db.deleteFrom("emails").where("id", ">=", first).where("id", "<=", last).returning(removedColumns),
  ),
};

/**
 * Deletes e-mails with everything that belongs to them, in the caller's transaction; returns the number of those that
 * existed. `ids` ascend.
 */
export async function removeEmails(db: Handle, engine: Engine, ids: number[]): Promise<number> {
  const [first, last] = [ids.at(0), ids.at(-1)];
  if (first === undefined || last === undefined) return 0;
  if (last - first + 1 > ids.length) {
    for (const remove of removeStanding) await remove.ids(db, engine, { ids });
    const removed = await removeRows.ids(db, engine, { ids });
    for (const remove of removeBelongings) await remove.ids(db, engine, { ids });
    return await finish(db, engine, removed);
  }
  for (const remove of removeStanding) await remove.stretch(db, engine, { first, last });
  const removed = await removeRows.stretch(db, engine, { first, last });
  for (const remove of removeBelongings) await remove.stretch(db, engine, { first, last });
  return await finish(db, engine, removed);
}

/** A batch is deleted with the last of its e-mails. */
async function finish(
  db: Handle,
  engine: Engine,
  rows: readonly (References & { batch_id: string | null })[],
): Promise<number> {
  const batches = [...new Set(rows.flatMap(({ batch_id: id }) => id ?? []))];
  if (batches.length > 0)
    await sql`
      delete from ${engine.table("batches")} as b
      where ${engine.anyOf(sql.ref("b.uuid"), batches)}
        and not exists (select 1 from ${engine.table("emails")} as e where e.batch_id = b.uuid)
    `.execute(db);
  await markReferencesForPruning(db, engine, rows);
  return rows.length;
}

const findOfWorkspace = prepared((db, values: { workspaceId: number; limit: number }) =>
  db
    .selectFrom("emails")
    .select("id")
    .where("workspace_id", "=", values.workspaceId)
    .orderBy("id")
    .limit(values.limit),
);

/** E-mails deleted in one round, which bounds the list of ids. */
const roundSize = 1_000;

/** Deletes all e-mails of a workspace, waiting ones included, in the caller's transaction, which prevents new ones. */
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
