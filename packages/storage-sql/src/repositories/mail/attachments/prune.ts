import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { removeChunks } from "./blobs.ts";
import { grace, markBlobsForPruning } from "./mark-for-pruning.ts";

interface Moment {
  now: number;
  limit: number;
}

/** Deletes expired handles; returns their number. */
export const deleteExpiredHandles = (db: Handle, engine: Engine, { now, limit }: Moment): Promise<number> =>
  atomically(db, async (tx) => {
    const over = tx
      .selectFrom("attachment_handles")
      .select(["id", "blob_id"])
      .where("expires_at", "<", now)
      .orderBy("expires_at")
      .limit(limit);
    const expired = await engine.skipLocked(over).execute();
    const taken = await takeBlobs(
      tx,
      engine,
      expired.map(({ blob_id }) => blob_id),
    );
    const removed = expired.filter(({ blob_id }) => taken.has(blob_id));
    await tx
      .deleteFrom("attachment_handles")
      .where((eb) =>
        engine.anyOf(
          eb.ref("id"),
          removed.map(({ id }) => id),
        ),
      )
      .execute();
    await markBlobsForPruning(
      tx,
      engine,
      removed.map(({ blob_id }) => blob_id),
      now + grace,
    );
    return removed.length;
  });

/** Checks rows that may be unused, and deletes those that are; returns the number of checked rows. */
export const deleteUnusedFiles = (db: Handle, engine: Engine, moment: Moment): Promise<number> =>
  atomically(db, async (tx) => {
    const sets = await deleteUnusedSets(tx, engine, moment);
    const blobs = await deleteUnusedBlobs(tx, engine, moment);
    const uploads = await deleteStaleUploads(tx, engine, moment);
    return sets + blobs + uploads;
  });

/** Locks rows that are due for a check until the transaction ends. */
async function takeDue(
  db: Handle,
  engine: Engine,
  table: "attachment_sets" | "blobs",
  { now, limit }: Moment,
): Promise<number[]> {
  const due = db.selectFrom(table).select("id").where("check_at", "<=", now).orderBy("check_at").limit(limit);
  return (await engine.skipLocked(due).execute()).map(({ id }) => id);
}

async function deleteUnusedSets(db: Handle, engine: Engine, moment: Moment): Promise<number> {
  const due = await takeDue(db, engine, "attachment_sets", moment);
  if (due.length === 0) return 0;
  const { rows } = await sql<{ id: number }>`
    select s.id from ${engine.table("attachment_sets")} as s
    where ${engine.anyOf(sql.ref("s.id"), due)}
      and not exists (select 1 from ${engine.table("emails")} as e where e.attachment_set_id = s.id)
      and not exists (select 1 from ${engine.table("campaigns")} as c where c.attachment_set_id = s.id)
  `.execute(db);
  const unused = rows.map(({ id }) => id);
  const items = await db
    .selectFrom("attachment_set_items")
    .select(["set_id", "blob_id"])
    .where((eb) => engine.anyOf(eb.ref("set_id"), unused))
    .execute();
  const taken = await takeBlobs(
    db,
    engine,
    items.map(({ blob_id }) => blob_id),
  );
  const busy = new Set(items.flatMap(({ set_id, blob_id }) => (taken.has(blob_id) ? [] : [set_id])));
  const removed = unused.filter((id) => !busy.has(id));
  await db
    .deleteFrom("attachment_set_items")
    .where((eb) => engine.anyOf(eb.ref("set_id"), removed))
    .execute();
  await db
    .deleteFrom("attachment_sets")
    .where((eb) => engine.anyOf(eb.ref("id"), removed))
    .execute();
  await markBlobsForPruning(
    db,
    engine,
    items.flatMap(({ set_id, blob_id }) => (busy.has(set_id) ? [] : [blob_id])),
    moment.now + grace,
  );
  const looked = due.filter((id) => !busy.has(id));
  await leave(db, engine, "attachment_sets", looked);
  return looked.length;
}

/**
 * Locks contents until the transaction ends, skipping those that are locked. Senders lock a content before its list;
 * pruning goes the other way round, so it must never wait.
 */
async function takeBlobs(db: Handle, engine: Engine, ids: readonly number[]): Promise<Set<number>> {
  const found = db
    .selectFrom("blobs")
    .select("id")
    .where((eb) => engine.anyOf(eb.ref("id"), [...new Set(ids)]));
  return new Set((await engine.skipLocked(found).execute()).map(({ id }) => id));
}

async function deleteUnusedBlobs(db: Handle, engine: Engine, moment: Moment): Promise<number> {
  const due = await takeDue(db, engine, "blobs", moment);
  if (due.length === 0) return 0;
  const { rows } = await sql<{ id: number }>`
    delete from ${engine.table("blobs")} as b
    where ${engine.anyOf(sql.ref("b.id"), due)}
      and not exists (select 1 from ${engine.table("attachment_set_items")} as i where i.blob_id = b.id)
      and not exists (select 1 from ${engine.table("attachment_handles")} as h where h.blob_id = b.id)
    returning id
  `.execute(db);
  await removeChunks(
    db,
    engine,
    rows.map(({ id }) => id),
  );
  await leave(db, engine, "blobs", due);
  return due.length;
}

/** Rows still in use need no further check until they lose a reference. */
async function leave(
  db: Handle,
  engine: Engine,
  table: "attachment_sets" | "blobs",
  ids: readonly number[],
): Promise<void> {
  await db
    .updateTable(table)
    .set({ check_at: null })
    .where((eb) => engine.anyOf(eb.ref("id"), ids))
    .execute();
}

async function deleteStaleUploads(db: Handle, engine: Engine, { now, limit }: Moment): Promise<number> {
  const stale = await db
    .deleteFrom("blob_uploads")
    .where("id", "in", (old) =>
      old
        .selectFrom("blob_uploads")
        .select("id")
        .where("begun_at", "<=", now - grace)
        .orderBy("id")
        .limit(limit),
    )
    .returning("id")
    .execute();
  await removeChunks(
    db,
    engine,
    stale.map(({ id }) => id),
  );
  return stale.length;
}
