import { type DuePart, everyRoute, type Floor, type Lane } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle, ValueType } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

interface PartRow {
  route: string;
  lane: number;
  due_at: number;
  parked_until: number | null;
  is_parked: number;
  is_trial: number;
}

const floorTypes = { route: "text", lane: "bigint", since: "bigint" } as const satisfies Record<
  string,
  ValueType
>;

/**
 * The lowest due time of each part of the queue. Of routes with a floor it is asked for from there on; between those, it steps from one
 * route's part of the index to the next. So it costs as much as there are routes, however long the queue of one is, and whatever was
 * in it before.
 */
const findParts = prepared(
  (
    _,
    {
      now,
      limit,
      floors,
    }: { now: number; limit: number; floors: readonly (Floor & Record<string, unknown>)[] },
    engine,
  ) => {
    const queue = engine.table("email_queue");
    return sql<PartRow>`
    with recursive floors (route, lane, since) as (
      select f.route, f.lane, f.since from ${engine.valuesTable("f", floorTypes, floors)}
    ), edges (route) as (
      select distinct route from floors union all select ''
    ), gaps (route, upto) as (
      select route, lead(route) over (order by route) from edges
    ), routes (route, upto) as (
      select route, upto from gaps
      union all
      select case when routes.upto is null
        then (select min(q.route) from ${queue} as q where q.route > routes.route)
        else (select min(q.route) from ${queue} as q where q.route > routes.route and q.route < routes.upto)
        end, routes.upto
      from routes where routes.route is not null
    ), starts (route, lane, since) as (
      select route, lane, since from floors
      union all
      select routes.route, l.lane, null
      from routes cross join (select 0 as lane union all select 1 union all select 2) as l
      where routes.route is not null and not exists (select 1 from edges where edges.route = routes.route)
    ), parts (route, lane, due_at) as (
      select s.route, s.lane, case when s.since is null
        then (select min(q.due_at) from ${queue} as q where q.route = s.route and q.lane = s.lane)
        else (select min(q.due_at) from ${queue} as q where q.route = s.route and q.lane = s.lane and q.due_at >= s.since)
        end
      from starts as s
    )
    select parts.route, parts.lane, parts.due_at, p.parked_until,
      case when p.route is null or p.parked_until <= ${now} then 0 else 1 end as is_parked,
      case when p.parked_until <= ${now} then 1 else 0 end as is_trial
    from parts left join ${engine.table("parked_routes")} as p on p.route = parts.route
    where parts.due_at is not null
    order by is_parked, parts.due_at, parts.route, parts.lane limit ${limit}
  `;
  },
);

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
  floors: readonly Floor[] = [],
): Promise<{ due: DuePart[]; nextAt: number | undefined }> {
  const [hold] = await findHold(db, engine, { now });
  if (hold !== undefined) return { due: [], nextAt: hold.parked_until ?? undefined };
  const parts = await findParts(db, engine, {
    now,
    limit,
    floors: floors.map(({ route, lane, since }) => ({ route, lane, since })),
  });
  const due: DuePart[] = [];
  let nextAt: number | undefined;
  for (const part of parts) {
    const { route, lane, due_at: dueAt, parked_until: until } = part;
    const isParked = part.is_parked === 1;
    if (!isParked && dueAt <= now) {
      due.push({ route, lane: lane as Lane, dueAt, ...(part.is_trial === 1 ? { isTrial: true } : {}) });
      continue;
    }
    const opensAt = isParked ? (until ?? Number.POSITIVE_INFINITY) : dueAt;
    nextAt = Math.min(nextAt ?? Number.POSITIVE_INFINITY, Math.max(opensAt, dueAt));
  }
  return { due, nextAt: nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt };
}
