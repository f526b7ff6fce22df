import { never, type QueuePart, type QueueStart } from "@posthorn/storage-sql";

/**
 * The lowest due time of each part of the queue: from the given start for routes that have one; for the routes between
 * them it skips through the index from one route to the next. It has no order or limit, which are applied to the rows
 * later: with them, SQLite would build a temporary table at each look, which costs ten times as much.
 */
export const partsTextOf = (queue: string, parked: string): string => `
  with recursive routes (route, upto, is_found) as (
    select value ->> 0, value ->> 1, 0 from jsonb_each(?)
    union all
    select case when routes.upto is null
      then (select min(q.route) from ${queue} as q where q.route > routes.route)
      else (select min(q.route) from ${queue} as q where q.route > routes.route and q.route < routes.upto)
      end, routes.upto, 1
    from routes where routes.route is not null
  ), parts (route, lane, due_at) as (
    select value ->> 0, value ->> 1, (
      select min(q.due_at) from ${queue} as q
      where q.route = value ->> 0 and q.lane = value ->> 1 and q.due_at >= value ->> 2
    ) from jsonb_each(?)
    union all
    select routes.route, l.lane, (
      select min(q.due_at) from ${queue} as q where q.route = routes.route and q.lane = l.lane
    ) from routes cross join (select 0 as lane union all select 1 union all select 2) as l
    where routes.is_found = 1 and routes.route is not null
  )
  select route, lane, due_at, nullif(ends_at, ${never}) as parked_until,
    case when ends_at > ? then 1 else 0 end as is_parked,
    case when ends_at <= ? then 1 else 0 end as is_trial
  from (
    select parts.route, parts.lane, parts.due_at, (
      select max(coalesce(p.parked_until, ${never})) from ${parked} as p where p.route = parts.route
    ) as ends_at
    from parts where parts.due_at is not null
  )`;

/** The parameters of that statement. */
export function partsValues(starts: readonly QueueStart[], now: number): unknown[] {
  const edges = ["", ...new Set(starts.map(({ route }) => route))].sort();
  const gaps = edges.map((route, index) => [route, edges[index + 1] ?? null]);
  return [gaps, starts.map(({ route, lane, since }) => [route, lane, since]), now, now];
}

/** Longest due first, held routes last. */
export const inOrder = (a: QueuePart, b: QueuePart): number =>
  a.is_parked - b.is_parked ||
  a.due_at - b.due_at ||
  (a.route === b.route ? a.lane - b.lane : a.route < b.route ? -1 : 1);
