import { type Engine, never, type QueuePart } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";

/**
 * The lowest due time of each part of the queue: from the given start for routes that have one; for those between, it
 * skips from one route's part of the index to the next. What the plan must not depend on is hidden from the planner.
 * Its estimate must stay low, too: the higher it is, the more it changes with the table's size, and PostgreSQL plans
 * anew as long as plans were cheaper before; from 100,000 on it even compiles them, each time.
 */
const textOf = (queue: string, parked: string): string => `
  with recursive floors (route, lane, since) as (
    select route collate "C", lane, since
    from unnest((select $1::text[]), (select $2::bigint[]), (select $3::bigint[])) as given (route, lane, since)
    limit (select 2147483647)
  ), edges (route) as (
    select distinct route from floors union all select ''
  ), gaps (route, upto) as (
    select route, lead(route) over (order by route) from edges limit (select 2147483647)
  ), routes (route, upto) as (
    select route, upto from gaps
    union all
    select case when routes.upto is null
      then (select min(q.route) from ${queue} as q where q.route > routes.route)
      else (select min(q.route) from ${queue} as q where q.route > routes.route and q.route < routes.upto)
      end, routes.upto
    from (select * from routes where route is not null limit (select 2147483647)) as routes
  ), starts (route, lane, since) as (
    select route, lane, since from floors
    union all
    select routes.route, l.lane, '-9223372036854775808'::bigint
    from routes cross join (select 0 as lane union all select 1 union all select 2) as l
    where routes.route is not null and not exists (select 1 from edges where edges.route = routes.route)
  )
  select s.route, s.lane, q.due_at, nullif(p.ends_at, ${never}) as parked_until,
    case when p.ends_at > $4 then 1 else 0 end as is_parked,
    case when p.ends_at <= $4 then 1 else 0 end as is_trial
  from starts as s
  cross join lateral (
    select due_at from ${queue} as q where q.route = s.route and q.lane = s.lane and q.due_at >= s.since
    order by q.due_at limit 1
  ) as q
  cross join lateral (
    select max(coalesce(parked_until, ${never})) as ends_at from ${parked} as held where held.route = s.route
  ) as p
  order by is_parked, q.due_at, s.route, s.lane limit (select $5::bigint)`;

/** Reads the queue and the parked routes from tables of these names. */
export const createFindParts = (queue: string, parked: string): Engine["findParts"] => {
  const text = textOf(queue, parked);
  return async (db, { starts, now, limit }) => {
    const parameters = [
      starts.map(({ route }) => route),
      starts.map(({ lane }) => lane),
      starts.map(({ since }) => since),
      now,
      limit,
    ];
    return (await db.executeQuery(CompiledQuery.raw(text, parameters) as CompiledQuery<QueuePart>)).rows;
  };
};
