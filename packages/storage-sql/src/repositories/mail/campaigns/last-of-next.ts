import type { Handle } from "../../../engine.ts";

/**
 * Selects the position of the last of the next `limit` recipients of a list, those behind `after`. A statement bounded
 * by it finds them once. With `position in (… limit n)`, PostgreSQL finds the n anew for each recipient of a list that
 * its statistics don't know yet: that took half a minute for a list of 20,000.
 */
export const lastOfNext = (
  db: Handle,
  id: number,
  { after, limit, isPending = false }: { after: number; limit: number; isPending?: boolean },
) => {
  const list = db
    .selectFrom("campaign_recipients")
    .select("position")
    .where("campaign_id", "=", id)
    .where("position", ">", after);
  const next = (isPending ? list.where("state", "=", "pending") : list).orderBy("position").limit(limit);
  return db.selectFrom(next.as("next")).select((is) => is.fn.max("next.position").as("last"));
};
