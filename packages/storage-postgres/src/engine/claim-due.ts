import type { ClaimedRow, Engine, Handle, QueueRow } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import { quotedTable } from "./quoted.ts";

/** A row of the statement: the e-mail's, with what its row of the queue has beside that. */
type Found = ClaimedRow["email"] &
  Omit<QueueRow, "route" | "lane"> & {
    claim_id: number;
    place: number;
    item_route: string;
    item_lane: number;
    /** JSON. */
    recipients: string | null;
    may_be_erased: boolean;
  };

/**
 * One statement for the whole claim. Each part of the queue is a short range of one index, read in order; running sums
 * in that order need no sort. E-mails are read one by one, whatever the planner expects of their number. The arrays are
 * hidden from it: otherwise it would plan each claim anew, which takes twice as long as executing it.
 */
const textOf = (table: (name: string) => string): string => `
  with due as (
    select w.place, q.* from unnest((select $1::text[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[]))
      with ordinality as w (route, lane, since, most, place)
    cross join lateral (
      select email_id, route, lane, due_at, queued_at, attempts, bytes from ${table("email_queue")} as q
      where q.route = w.route and q.lane = w.lane and q.due_at >= w.since and q.due_at <= $5
      order by q.due_at, q.email_id limit w.most for update skip locked
    ) as q
  ), sums as (
    select due.*, row_number() over () as rank, sum(bytes) over (rows unbounded preceding) as total from due
  ), taken as materialized (
    select * from sums where rank = 1 or total <= $6
  ), gone as (
    delete from ${table("email_queue")} where email_id = any((select array_agg(email_id) from taken)::bigint[])
  ), found as materialized (
    select taken.place, taken.email_id, taken.route as item_route, taken.lane as item_lane,
      taken.due_at, taken.queued_at, taken.attempts, taken.bytes, e.*,
      (select c.hash from ${table("contents")} as c where c.id = e.content_id) as content_hash,
      (select s.hash from ${table("stylesheet_sets")} as s where s.id = e.stylesheet_set_id) as set_hash,
      (select json_agg(r order by r.position) from ${table("email_recipients")} as r
        where r.email_id = taken.email_id)::text as recipients
    from taken cross join lateral (select * from ${table("emails")} as e where e.id = taken.email_id limit 1) as e
  ), claim as (
    insert into ${table("claims")} (worker, claimed_at, renewed_at, until, items)
    select $7::text, $5::bigint, $5::bigint, $8::bigint, count(*) from found having count(*) > 0 returning id
  ), items as (
    insert into ${table("claim_items")} (email_id, claim_id, route, lane, due_at, queued_at, attempts, bytes)
    select email_id, claim.id, item_route, item_lane, due_at, queued_at, attempts, bytes from found cross join claim
  )
  select claim.id as claim_id, found.*,
    (select exists (select from ${table("erasures")} as e where e.stage = 'emails')) as may_be_erased
  from found cross join claim`;

/**
 * Claims e-mails of the schema's tables. A connection that keeps no settings has the database's own isolation level and
 * no time limit outside a transaction: what a claim took after this process had given up waiting would be delivered only
 * when its lease ends.
 */
export const createClaimDue = (schema: string, keepsSettings: boolean): Engine["claimDue"] => {
  const text = textOf((name) => quotedTable(schema, name));
  return async (db, { wants, now, until, worker, maxBytes }) => {
    const parameters = [
      wants.map(({ route }) => route),
      wants.map(({ lane }) => lane),
      wants.map(({ since }) => since),
      wants.map(({ limit }) => limit),
      now,
      maxBytes,
      worker,
      until,
    ];
    const query = CompiledQuery.raw(text, parameters) as CompiledQuery<Found>;
    const ask = (handle: Handle) => handle.executeQuery(query);
    const { rows } = await (keepsSettings || db.isTransaction ? ask(db) : db.transaction().execute(ask));
    return rows
      .sort((a, b) => a.place - b.place || a.due_at - b.due_at || a.email_id - b.email_id)
      .map(toClaimed);
  };
};

const toClaimed = (row: Found): ClaimedRow => ({
  claimId: row.claim_id,
  item: {
    email_id: row.email_id,
    route: row.item_route,
    lane: row.item_lane,
    due_at: row.due_at,
    queued_at: row.queued_at,
    attempts: row.attempts,
    bytes: row.bytes,
  },
  email: row,
  recipients: row.recipients === null ? [] : JSON.parse(row.recipients),
  mayBeErased: row.may_be_erased,
});
