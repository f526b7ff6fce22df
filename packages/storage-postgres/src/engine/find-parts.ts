import { type Engine, never, type QueuePart } from "@posthorn/storage-sql";
import { runText } from "./run-text.ts";

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
  select s.route, s.lane, q.due_at, ${holdOf("$4")}
  from starts as s
  cross join lateral (
    select due_at from ${queue} as q where q.route = s.route and q.lane = s.lane and q.due_at >= s.since
    order by q.due_at limit 1
  ) as q
  ${joinedHolds(parked)} limit (select $5::bigint)`;

/**
 * The same by reading all that waits, in the order of the table. Of no index: to learn that an e-mail is gone, an index
 * has its row fetched by itself, which takes ten times as long where most are.
 */
const scanTextOf = (queue: string, parked: string): string => `
  select s.route, s.lane, q.due_at, ${holdOf("$1")}
  from (
    select route || '' as route, lane + 0 as lane, min(due_at) as due_at from ${queue} where bytes + 0 >= 0 group by 1, 2
  ) as s
  cross join lateral (select s.due_at) as q
  ${joinedHolds(parked)} limit (select $2::bigint)`;

const holdOf = (now: string): string => `nullif(p.ends_at, ${never}) as parked_until,
    case when p.ends_at > ${now} then 1 else 0 end as is_parked,
    case when p.ends_at <= ${now} then 1 else 0 end as is_trial`;

const joinedHolds = (parked: string): string => `cross join lateral (
    select max(coalesce(parked_until, ${never})) as ends_at from ${parked} as held where held.route = s.route
  ) as p
  order by is_parked, q.due_at, s.route, s.lane`;

/** Ms from which a look counts as slow: one takes few, unless it walks over rows that are gone. */
const slowMs = 250;
/** Ms after which a slower way is tried again; longer, where that took more than a hundredth of it. */
const againMs = 60_000;

/**
 * Reads the queue and the parked routes from tables of these names. While a transaction stays open for long, such as that
 * of a dump, PostgreSQL removes no e-mail that is gone from the index, and looks walk over those: a million and a half
 * took eight seconds, beyond the time limit, so that nothing was sent. Looks that are slow read the table instead, as long
 * as that is faster.
 */
export function createFindParts(
  queue: string,
  parked: string,
  now: () => number = () => performance.now(),
): Engine["findParts"] {
  const [text, scanText] = [textOf(queue, parked), scanTextOf(queue, parked)];
  // Those that begin at floors walk over less.
  const [whole, floored] = [createWays(now), createWays(now)];
  return (db, { starts, now: at, limit }) => {
    const [routes, lanes, since] = [
      starts.map(({ route }) => route),
      starts.map(({ lane }) => lane),
      starts.map((start) => start.since),
    ];
    return (starts.length === 0 ? whole : floored).choose(
      () => runText<QueuePart>(db, text, [routes, lanes, since, at, limit]),
      () => runText<QueuePart>(db, scanText, [at, limit]),
    );
  };
}

/** Chooses between two ways to the same, by how long each took last. */
function createWays(now: () => number): {
  choose<R>(asUsual: () => Promise<R>, otherwise: () => Promise<R>): Promise<R>;
} {
  const [usual, other] = [
    { ms: 0, at: Number.NEGATIVE_INFINITY },
    { ms: 0, at: Number.NEGATIVE_INFINITY },
  ];
  const againAfter = ({ ms }: { ms: number }): number => Math.max(againMs, ms * 100);
  const isKnown = (way: { ms: number; at: number }, at: number): boolean => at - way.at < againAfter(way);
  return {
    async choose(asUsual, otherwise) {
      const begun = now();
      const isOther =
        isKnown(usual, begun) && usual.ms >= slowMs && !(isKnown(other, begun) && other.ms >= usual.ms);
      try {
        return await (isOther ? otherwise() : asUsual());
      } finally {
        const ended = now();
        Object.assign(isOther ? other : usual, { ms: ended - begun, at: ended });
      }
    },
  };
}
