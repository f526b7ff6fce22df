import type { Engine, TakenItem } from "@posthorn/storage-sql";
import { quotedTable } from "./quoted.ts";
import { runText } from "./run-text.ts";

/** One statement for both tables. The limit hides from the planner how many there are, as in `valuesToFind`. */
const textOf = (table: (name: string) => string): string => `
  with gone as (
    delete from ${table("claim_items")} where (email_id, claim_id) in (
      select * from (select * from unnest($1::bigint[], $2::bigint[]) limit (select 2147483647)) as v
    )
    returning email_id, claim_id, route, lane, due_at, queued_at, attempts, bytes
  ), lowered as (
    update ${table("claims")} as c set items = c.items - n.gone
    from (select claim_id, count(*) as gone from gone group by claim_id order by claim_id) as n
    where c.id = n.claim_id returning c.id, c.items
  )
  select gone.*, coalesce(lowered.items, 0) as "left" from gone left join lowered on lowered.id = gone.claim_id`;

/** Takes items from the claims of the schema's tables. */
export const createTakeItems = (schema: string): Engine["takeItems"] => {
  const text = textOf((name) => quotedTable(schema, name));
  return (db, keys) =>
    runText<TakenItem>(db, text, [
      keys.map(({ email_id }) => email_id),
      keys.map(({ claim_id }) => claim_id),
    ]);
};
