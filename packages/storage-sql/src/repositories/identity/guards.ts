import type { Guards } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";

interface Attempt {
  key: string;
  limit: number;
  endsAt: number;
  now: number;
}

/**
 * Counts in one statement, so that two attempts can't both take the last free place. Returns no row if there was none.
 */
const count = prepared((_db, { key, limit, endsAt, now }: Attempt, engine) => {
  const guards = sql.ref("guards");
  return sql<{ count: number }>`
    insert into ${engine.table("guards")} as ${guards} (key, count, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      count = case when ${guards}.ends_at <= ${now} then 1 else ${guards}.count + 1 end,
      ends_at = case when ${guards}.ends_at <= ${now} then excluded.ends_at else ${guards}.ends_at end
    where ${guards}.ends_at <= ${now} or ${guards}.count < ${limit}
    returning count`;
});

/** Counters of attempts, in windows that begin with the first attempt. */
export const createGuardsRepository = (db: Handle, engine: Engine): Guards => ({
  async reserve(key, limit, windowMs, now) {
    const endsAt = now + windowMs;
    if (limit <= 0) return { allowed: false, retryAt: endsAt };
    const [counted] = await count(db, engine, { key, limit, endsAt, now });
    if (counted) return { allowed: true };
    const guard = await db.selectFrom("guards").select("ends_at").where("key", "=", key).executeTakeFirst();
    return { allowed: false, retryAt: guard?.ends_at ?? now };
  },
  async release(key) {
    await db
      .updateTable("guards")
      .set((is) => ({ count: is("count", "-", 1) }))
      .where("key", "=", key)
      .where("count", ">", 0)
      .execute();
  },
  async clear(key) {
    await db.deleteFrom("guards").where("key", "=", key).execute();
  },
  async deleteStale(before, limit) {
    const deleted = await db
      .deleteFrom("guards")
      .where("key", "in", (stale) =>
        stale
          .selectFrom("guards")
          .select("key")
          .where("ends_at", "<", before)
          .orderBy("ends_at")
          .limit(limit),
      )
      .returning("key")
      .execute();
    return deleted.length;
  },
});
