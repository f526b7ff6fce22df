import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { type Prepared, prepared } from "../../../prepared.ts";
import type { Database } from "../../../tables.ts";
import { markReferencesForPruning, type References, references } from "../mark-references-for-pruning.ts";

/**
 * Claims go first, in the order that settling locks them; and once more after the queue, because a worker may just have
 * claimed an e-mail.
 */
const places = ["claim_items", "email_queue", "claim_items"] as const satisfies (keyof Database)[];

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
const removeFrom = (table: (typeof places | typeof belongings)[number]) => ({
  ids: prepared((db, { ids }: { ids: number[] }, engine) =>
    db.deleteFrom(table).where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
  ),
  stretch: prepared((db, { first, last }: IdRange) =>
    db.deleteFrom(table).where("email_id", ">=", first).where("email_id", "<=", last),
  ),
});

const removePlaces = places.map(removeFrom);
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

/** The form of a deletion by ids, which ascend. */
type Deletion<R> = { ids: Prepared<{ ids: number[] }, R>; stretch: Prepared<IdRange, R> };

/** Runs it for the whole range if that holds nothing else. */
function run<R>(
  db: Handle,
  engine: Engine,
  { ids: byIds, stretch }: Deletion<R>,
  ids: number[],
): Promise<R[]> {
  const [first = 0, last = 0] = [ids.at(0), ids.at(-1)];
  const isStretch = last - first + 1 === ids.length;
  return isStretch ? stretch(db, engine, { first, last }) : byIds(db, engine, { ids });
}

/** Takes e-mails from the queue and from the workers that claimed them, in the caller's transaction. `ids` ascend. */
export async function removeFromQueue(db: Handle, engine: Engine, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const remove of removePlaces) await run(db, engine, remove, ids);
}

/**
 * Deletes e-mails with everything that belongs to them, in the caller's transaction, which has taken their outcomes and
 * has them nowhere in the queue; returns the number of those that existed. `ids` ascend.
 */
export async function removeSettled(db: Handle, engine: Engine, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const removed = await run(db, engine, removeRows, ids);
  for (const remove of removeBelongings) await run(db, engine, remove, ids);
  return await finish(db, engine, removed);
}

/** Of two who delete the last e-mails of a batch at once, the second sees after this what the first has deleted. */
const lockBatches = prepared((db, { ids }: { ids: string[] }, engine) =>
  engine.forUpdate(
    db
      .selectFrom("batches")
      .select("id")
      .where((eb) => engine.anyOf(eb.ref("uuid"), ids))
      .orderBy("id"),
  ),
);

/** A batch is deleted with the last of its e-mails. */
async function finish(
  db: Handle,
  engine: Engine,
  rows: readonly (References & { batch_id: string | null })[],
): Promise<number> {
  const ids = [...new Set(rows.flatMap(({ batch_id: id }) => id ?? []))];
  const batches = ids.length === 0 ? [] : await lockBatches(db, engine, { ids });
  if (batches.length > 0)
    await sql`
      delete from ${engine.table("batches")} as b
      where ${engine.anyOf(
        sql.ref("b.id"),
        batches.map(({ id }) => id),
      )}
        and not exists (select 1 from ${engine.table("emails")} as e where e.batch_id = b.uuid)
    `.execute(db);
  await markReferencesForPruning(db, engine, rows);
  return rows.length;
}
