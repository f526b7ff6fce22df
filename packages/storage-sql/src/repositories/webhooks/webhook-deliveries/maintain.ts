import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { forOperator, longRead } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { queueToleranceMs } from "../../../queue-tolerance.ts";

interface Ending {
  rows: number[];
  error: string;
  now: number;
  limit: number;
}

/** Without those that another transaction has locked, such as a host's that deletes the webhook. */
const findWaiting = prepared((db, { rows, now, limit }: Omit<Ending, "error">, engine) =>
  engine.skipLocked(
    db
      .selectFrom("webhook_deliveries")
      .select("id")
      .where("status", "=", sql.lit("pending"))
      .where((eb) => engine.anyOf(eb.ref("webhook_id"), rows))
      // Deliveries in progress end by themselves.
      .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
      .limit(limit),
  ),
);

const end = prepared((db, { ids, error, now }: { ids: number[]; error: string; now: number }, engine) =>
  db
    .updateTable("webhook_deliveries")
    .set({ status: "failed", error, due_at: null, lease_until: null, settled_at: now })
    .where((eb) => engine.anyOf(eb.ref("id"), ids))
    .where("status", "=", sql.lit("pending"))
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
    .returning("id"),
);

/** Ends waiting deliveries of the webhooks, a bounded number at a time; returns their number. */
export const endWaiting = (db: Handle, engine: Engine, ending: Ending): Promise<number> =>
  atomically(db, async (tx) => {
    const waiting = await findWaiting(tx, engine, ending);
    if (waiting.length === 0) return 0;
    return (await end(tx, engine, { ...ending, ids: waiting.map(({ id }) => id) })).length;
  });

/**
 * Deliveries whose due time a clock ahead set. What is due needs no correction, and a lease ends when its delivery is due: so
 * only the last part of each webhook's backlog is read. By the cross join, SQLite begins with the webhooks.
 */
const aheadOf = (engine: Engine, latest: unknown) => {
  const deliveries = engine.table("webhook_deliveries");
  return sql<{ id: number }>`
    select d.id from ${engine.table("webhooks")} as w cross join ${deliveries} as d
    where d.webhook_id = w.id and d.status = 'pending' and d.due_at > ${latest} and d.queued_at > ${latest}`;
};

const findAhead = prepared(
  (db, { latest }: { latest: number }, engine) => ({
    compile: () => sql<{ id: number }>`${aheadOf(engine, latest)} limit 1`.compile(db),
  }),
  longRead(forOperator),
);

/**
 * Corrects due times by how far the clock was ahead when they were set or leased; returns their number. Every worker asks as
 * it starts, mostly for nothing, and a million may be postponed: so they are looked for first, beside which others write.
 */
export async function restoreDue(db: Handle, engine: Engine, now: number): Promise<number> {
  const latest = now + queueToleranceMs;
  if ((await findAhead(db, engine, { latest })).length === 0) return 0;
  const { rows } = await sql<{ id: number }>`
    update ${engine.table("webhook_deliveries")}
    set due_at = due_at - (queued_at - ${now}), queued_at = ${now},
      lease_until = case when lease_until is null then null else lease_until - (queued_at - ${now}) end
    where id in (${aheadOf(engine, latest)}) and status = 'pending' and queued_at > ${latest}
    returning id
  `.execute(db);
  return rows.length;
}
