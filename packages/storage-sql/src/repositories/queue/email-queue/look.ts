import { type DuePart, everyRoute, type Lane } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

interface PartRow {
  route: string;
  lane: number;
  due_at: number;
  parked_until: number | null;
  is_parked: number | boolean;
}

/**
 * The lowest due time of each part of the queue. Steps from one route's part of the index to the next, so that it costs as much as
 * there are routes, however long the queue of one is.
 */
const findParts = prepared((db, values: { now: number; limit: number }, engine) => {
  const queue = engine.table("email_queue");
  const query = sql<PartRow>`
    with recursive routes (route) as (
      select min(route) from ${queue}
      union all
      select (select min(q.route) from ${queue} as q where q.route > routes.route) from routes where routes.route is not null
    ), parts (route, lane, due_at) as (
      select routes.route, l.lane, (
        select min(q.due_at) from ${queue} as q where q.route = routes.route and q.lane = l.lane
      )
      from routes cross join (select 0 as lane union all select 1 union all select 2) as l
      where routes.route is not null
    )
    select parts.route, parts.lane, parts.due_at, p.parked_until,
      case when p.route is null then 0 else 1 end as is_parked
    from parts
    left join ${engine.table("parked_routes")} as p on p.route = parts.route
      and (p.parked_until is null or p.parked_until > ${values.now})
    where parts.due_at is not null
    order by is_parked, parts.due_at, parts.route, parts.lane limit ${values.limit}
  `;
  return { compile: () => query.compile(db) };
});

const findHold = prepared((db, { now }: { now: number }) =>
  db
    .selectFrom("parked_routes")
    .select("parked_until")
    .where("route", "=", sql.lit(everyRoute))
    .where((eb) => eb.or([eb("parked_until", "is", null), eb("parked_until", ">", now)])),
);

/** What is due by parts, and when there will next be more. */
export async function lookForDue(
  db: Handle,
  engine: Engine,
  now: number,
  limit: number,
): Promise<{ due: DuePart[]; nextAt: number | undefined }> {
  const [hold] = await findHold(db, engine, { now });
  if (hold !== undefined) return { due: [], nextAt: hold.parked_until ?? undefined };
  const parts = await findParts(db, engine, { now, limit });
  const due: DuePart[] = [];
  let nextAt: number | undefined;
  for (const { route, lane, due_at: dueAt, parked_until: until, is_parked: isParked } of parts) {
    if (!isParked && dueAt <= now) {
      due.push({ route, lane: lane as Lane, dueAt });
      continue;
    }
    const opensAt = isParked ? (until ?? Number.POSITIVE_INFINITY) : dueAt;
    nextAt = Math.min(nextAt ?? Number.POSITIVE_INFINITY, Math.max(opensAt, dueAt));
  }
  return { due, nextAt: nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt };
}
