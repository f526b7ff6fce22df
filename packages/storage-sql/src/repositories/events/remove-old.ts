import type { FactName, Removal } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { forOperator, readLong } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { findOlder } from "../find-older.ts";
import { findFact } from "../queue/find-fact.ts";

/** The event at a distance after an id, in the order of ids. */
const findAt = prepared((db, { after, skipped }: { after: number; skipped: number }) =>
  db
    .selectFrom("events")
    .select(["id", "created_at"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(1)
    .offset(skipped),
);

const removeWithin = prepared(
  (db, { after, last, before }: { after: number; last: number; before: number }) =>
    db
      .deleteFrom("events")
      .where("id", ">", after)
      .where("id", "<=", last)
      .where("created_at", "<", before)
      .returning("id"),
);

const factName: FactName = "events_removed";

/** Notes the id of a removed event, unless a later one was removed before: times are not quite in the order of ids. */
const noteRemoved = (db: Handle, engine: Engine, id: number) =>
  sql`
    insert into ${engine.table("facts")} as f (name, value) values (${factName}, ${String(id)})
    on conflict (name) do update set value = excluded.value
    where cast(f.value as bigint) < cast(excluded.value as bigint)
  `.execute(db);

/** Returns the id of the last event that was ever removed; 0 for none. */
export const findLastRemoved = async (db: Handle): Promise<number> =>
  Number((await findFact(db, factName)) ?? 0);

/**
 * Removes those of the next `limit` events after `after` that are from before a time. Times have no index: events mostly
 * come in their order, so that the first piece without an old one is the end. Behind events of a clock that was ahead,
 * though, older ones follow.
 */
export async function removeOldEvents(
  db: Handle,
  engine: Engine,
  { before, limit, after }: { before: number; limit: number; after: number },
): Promise<Removal> {
  const [end] = await findAt(db, engine, { after, skipped: limit - 1 });
  const last = end?.id ?? Number.MAX_SAFE_INTEGER;
  const removed = await atomically(db, async (tx) => {
    const rows = await removeWithin(tx, engine, { after, last, before });
    if (rows.length > 0) await noteRemoved(tx, engine, Math.max(...rows.map(({ id }) => id)));
    return rows.length;
  });
  if (end === undefined) return { removed, next: undefined };
  if (removed > 0) return { removed, next: last };
  return { removed, next: await findBehind(db, engine, { before, after: last, distance: limit }) };
}

/** Where older events follow behind a piece without one. */
const findBehind = (
  db: Handle,
  engine: Engine,
  piece: { before: number; after: number; distance: number },
): Promise<number | undefined> =>
  findOlder(async (id) => (await findAt(db, engine, { after: id, skipped: 0 }))[0], piece);

/** Events counted in one statement: all of a large log would take longer than a statement may. */
const countedAtOnce = 50_000;

interface Piece {
  rows: number;
  old: number | null;
  last: number | null;
}

const countPiece = (
  db: Handle,
  engine: Engine,
  { before, after }: { before: number; after: number },
): Promise<Piece[]> =>
  readLong(
    db,
    sql<Piece>`
    select count(*) as rows, sum(case when created_at < ${before} then 1 else 0 end) as old, max(id) as last from (
      select id, created_at from ${engine.table("events")} where id > ${after} order by id limit ${countedAtOnce}
    ) as piece`,
    forOperator,
  );

/** The number of events that removal would remove now, found as it finds them: it reads few of those that stay. */
export async function countOldEvents(db: Handle, engine: Engine, before: number): Promise<number> {
  let total = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const [piece] = await countPiece(db, engine, { before, after });
    const [old, last] = [Number(piece?.old ?? 0), Number(piece?.last ?? 0)];
    total += old;
    if (piece === undefined || Number(piece.rows) < countedAtOnce) break;
    after = old > 0 ? last : await findBehind(db, engine, { before, after: last, distance: countedAtOnce });
  }
  return total;
}
