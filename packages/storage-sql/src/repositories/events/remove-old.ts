import type { Removal } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { findOlder } from "../find-older.ts";

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
  const { length: removed } = await removeWithin(db, engine, { after, last, before });
  if (end === undefined) return { removed, next: undefined };
  if (removed > 0) return { removed, next: last };
  const nextAfter = async (id: number) => (await findAt(db, engine, { after: id, skipped: 0 }))[0];
  return { removed, next: await findOlder(nextAfter, { before, after: last, distance: limit }) };
}
