import { type ExpressionBuilder, sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { columnsOf, type Database, type Row } from "../../../tables.ts";
import { removeChunks } from "./blobs.ts";
import { grace, loose } from "./mark-for-pruning.ts";

const markTypes = columnsOf("loose_files", ["row_id", "check_at"]);

/** Marks that one transaction notes. */
const marksAtOnce = 1_000;

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
    await checkBlobsFrom(
      tx,
      engine,
      removed.map(({ blob_id }) => blob_id),
      now + grace,
    );
    return removed.length;
  });

/** Checks rows that may be unused, and deletes those that are; returns the number of checked rows. */
export async function deleteUnusedFiles(db: Handle, engine: Engine, moment: Moment): Promise<number> {
  while ((await atomically(db, (tx) => noteMarks(tx, engine))) === marksAtOnce);
  return atomically(db, async (tx) => {
    const sets = await deleteUnusedSets(tx, engine, moment);
    const blobs = await deleteUnusedBlobs(tx, engine, moment);
    const uploads = await deleteStaleUploads(tx, engine, moment);
    return sets + blobs + uploads;
  });
}

/** Notes on the rows themselves when to check them; returns the number of marks that are done with. */
async function noteMarks(db: Handle, engine: Engine): Promise<number> {
  const marks = await engine
    .skipLocked(db.selectFrom("loose_files").selectAll().orderBy("id").limit(marksAtOnce))
    .execute();
  let noted = 0;
  for (const kind of ["set", "blob"] as const) {
    const own = marks.filter((mark) => mark.kind === kind);
    if (own.length > 0) noted += await noteMarksOf(db, engine, kind, own);
  }
  return noted;
}

/** The marks of rows that others change are left for later; senders of a much used list or content hold up none. */
async function noteMarksOf(
  db: Handle,
  engine: Engine,
  kind: keyof typeof loose,
  marks: readonly Row<"loose_files">[],
): Promise<number> {
  const ids = [...new Set(marks.map(({ row_id }) => row_id))];
  const rows = db
    .selectFrom(loose[kind])
    .select("id")
    .where((eb) => engine.anyOf(eb.ref("id"), ids));
  const held = new Set((await rows.execute()).map(({ id }) => id));
  for (const { id } of await engine.forFreeUpdate(rows).execute()) held.delete(id);
  const free = marks.filter(({ row_id }) => !held.has(row_id));
  const latest = new Map<number, number>();
  for (const { row_id, check_at } of free)
    latest.set(row_id, Math.max(check_at, latest.get(row_id) ?? check_at));
  const values = [...latest].map(([row_id, check_at]) => ({ row_id, check_at }));
  if (values.length === 0) return 0;
  await sql`
    update ${engine.table(loose[kind])} as c set check_at = v.check_at
    from ${engine.valuesTable("v", markTypes, values)}
    where c.id = v.row_id and (c.check_at is null or c.check_at < v.check_at)
  `.execute(db);
  await db
    .deleteFrom("loose_files")
    .where((eb) =>
      engine.anyOf(
        eb.ref("id"),
        free.map(({ id }) => id),
      ),
    )
    .execute();
  return free.length;
}

/** Has contents checked that lost a reference, and that are locked; their time can only be moved later. */
async function checkBlobsFrom(
  db: Handle,
  engine: Engine,
  ids: readonly number[],
  checkAt: number,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("blobs")
    .set({ check_at: laterThan(checkAt) })
    .where((eb) => engine.anyOf(eb.ref("id"), [...new Set(ids)]))
    .execute();
}

const laterThan = (at: number) => (eb: ExpressionBuilder<Database, "blobs">) =>
  sql<number>`case when ${eb.ref("check_at")} > ${at} then ${eb.ref("check_at")} else ${at} end`;

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
  await checkBlobsFrom(
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
