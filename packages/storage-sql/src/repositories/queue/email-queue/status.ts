import { everyRoute, type QueueStatus, type RouteStatus } from "@posthorn/core/storage";
import { sql } from "kysely";
import { forOperator, longRead, readLong } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { standingHolds } from "./park.ts";

const findStatus = prepared(
  (db, { now }: { now: number }) =>
    db.selectFrom("email_queue").select((eb) => [
      sql<number | null>`sum(case when due_at <= ${now} then 1 else 0 end)`.as("due"),
      eb.fn.countAll().as("total"),
      sql<number | null>`min(case when due_at <= ${now} then due_at end)`.as("oldest_due_at"),
      eb
        .selectFrom("claim_items")
        .select((inner) => inner.fn.countAll().as("leased"))
        .as("leased"),
    ]),
  longRead(forOperator),
);

/** The size of the queue. */
export async function queueStatus(db: Handle, engine: Engine, now: number): Promise<QueueStatus> {
  const [row] = await findStatus(db, engine, { now });
  const due = Number(row?.due ?? 0);
  return {
    due,
    waiting: Number(row?.total ?? 0) - due,
    leased: Number(row?.leased ?? 0),
    oldestDueAt: row?.oldest_due_at ?? undefined,
  };
}

/**
 * Ids of waiting e-mails due before a time, oldest first: in the order of another index than the queue's own key, each
 * piece would read the whole queue, or the log.
 */
export async function listDue(db: Handle, before: number, limit: number): Promise<string[]> {
  const due = db
    .selectFrom("email_queue as q")
    .select((eb) => [
      "q.email_id",
      eb.selectFrom("emails as e").select("e.uuid").whereRef("e.id", "=", "q.email_id").as("uuid"),
    ])
    .where("q.due_at", "<", before);
  const rows = await db
    .selectFrom(due.as("due"))
    .select("uuid")
    .where("uuid", "is not", null)
    .orderBy("email_id")
    .limit(limit)
    .execute();
  return rows.flatMap(({ uuid }) => uuid ?? []);
}

interface RouteRow {
  route: string;
  due: number;
  waiting: number;
  leased: number;
  oldest_due_at: number | null;
  holds: number;
}

/** Routes with queued or claimed e-mails, or a hold: held ones first, then the longest due. */
export async function routeStatuses(
  db: Handle,
  engine: Engine,
  now: number,
  limit: number,
): Promise<RouteStatus[]> {
  const rows = await readLong(
    db,
    sql<RouteRow>`
    select s.route, sum(s.due) as due, sum(s.waiting) as waiting, sum(s.leased) as leased,
      min(s.oldest_due_at) as oldest_due_at, sum(s.holds) as holds
    from (
      select route, sum(case when due_at <= ${now} then 1 else 0 end) as due,
        sum(case when due_at > ${now} then 1 else 0 end) as waiting, 0 as leased,
        min(case when due_at <= ${now} then due_at end) as oldest_due_at, 0 as holds
      from ${engine.table("email_queue")} group by route
      union all
      select route, 0, 0, count(*), cast(null as bigint), 0 from ${engine.table("claim_items")} group by route
      union all
      select route, 0, 0, 0, cast(null as bigint), 1 from ${engine.table("parked_routes")}
      where route <> ${everyRoute} and (parked_until is null or parked_until > ${now})
    ) as s
    group by s.route
    order by case when sum(s.holds) = 0 then 1 else 0 end,
      case when min(s.oldest_due_at) is null then 1 else 0 end, min(s.oldest_due_at), s.route
    limit ${limit}
  `,
    forOperator,
  );
  const held = rows.some(({ holds }) => Number(holds) > 0) ? await standingHolds(db, engine, now) : [];
  const holdsOf = Map.groupBy(held, ({ route }) => route);
  return rows.map((row) => ({
    route: row.route,
    due: Number(row.due),
    waiting: Number(row.waiting),
    leased: Number(row.leased),
    oldestDueAt: row.oldest_due_at === null ? undefined : Number(row.oldest_due_at),
    holds: (holdsOf.get(row.route) ?? []).map(({ route: _, ...hold }) => hold),
  }));
}
