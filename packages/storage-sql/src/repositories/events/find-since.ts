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
 * log. Times have no index, but mostly grow with the ids: events at doubling distances from the end are looked at. The
 * second is returned of those that are older by a day, as are all before them: one alone may be from a clock that was
 * behind, and so may be all at the end of the log.
 */
export async function findSince(db: Handle, engine: Engine, since: number): Promise<number> {
  const [[first], [end]] = await Promise.all([
    findFirst(db, engine, {}),
    findLastUpTo(db, engine, { id: Number.MAX_SAFE_INTEGER }),
  ]);
  if (first === undefined || end === undefined) return 0;
  // To read more of them in the order of their ids would take longer than to read all as they lie.
  const most = (end.id - first.id) / 4;
  const looks: ReturnType<typeof findLastUpTo>[] = [];
  for (let distance = firstDistance; distance <= most; distance *= 2)
    looks.push(findLastUpTo(db, engine, { id: end.id - distance }));
  const seen = [end, ...(await Promise.all(looks)).flat()];
  const lastYoung = seen.findLastIndex(({ created_at }) => created_at >= since - aheadMs);
  return seen[lastYoung + 2]?.id ?? 0;
}
