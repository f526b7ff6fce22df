import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";

/** Ms by which an event's time may be ahead of those of later ones: a clock that was set back was seldom wrong by more. */
const aheadMs = 24 * 3_600_000;
/** Number of ids that the first look goes back. */
const firstDistance = 500;

const findLastUpTo = prepared((db, { id }: { id: number }) =>
  db.selectFrom("events").select(["id", "created_at"]).where("id", "<=", id).orderBy("id", "desc").limit(1),
);

const findFirst = prepared((db) => db.selectFrom("events").select("id").orderBy("id").limit(1));

/**
 * Returns the id of an event behind which are all from a time on; 0 for a time from which on it may be a good part of the
 * log. Times have no index, but mostly grow with the ids: events at doubling distances from the end are looked at, until
 * one is older by a day.
 */
export async function findSince(db: Handle, engine: Engine, since: number): Promise<number> {
  const [first] = await findFirst(db, engine, {});
  let [row] = await findLastUpTo(db, engine, { id: Number.MAX_SAFE_INTEGER });
  if (first === undefined || row === undefined) return 0;
  const last = row.id;
  // To read more of them in the order of their ids would take longer than to read all as they lie.
  const most = (last - first.id) / 4;
  for (let distance = firstDistance; row !== undefined; distance *= 2) {
    if (row.created_at < since - aheadMs) return row.id;
    if (distance > most) return 0;
    [row] = await findLastUpTo(db, engine, { id: last - distance });
  }
  return 0;
}
