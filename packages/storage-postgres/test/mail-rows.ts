import type { Storage } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { type RawBuilder, sql } from "kysely";

/** Tables whose rows belong to an e-mail. */
const belongings = [
  "email_queue",
  "claim_items",
  "email_outcomes",
  "email_payloads",
  "email_recipients",
  "email_labels",
  "email_attempts",
  "recipient_reports",
  "email_hits",
] as const;

/** Rows of a storage's mail that contradict each other, as texts. */
export async function contradictionsIn(storage: Storage): Promise<string[]> {
  const { db, engine } = sideOf(storage);
  const table = (name: Parameters<typeof engine.table>[0]) => engine.table(name);
  const read = async (what: string, query: RawBuilder<object>) =>
    (await query.execute(db)).rows.map((row) => `${what}: ${JSON.stringify(row)}`);
  const found = await Promise.all([
    read(
      "a count of e-mails is wrong",
      sql`
        select workspace_id, status, sum(counted) as counted, sum(rows) as rows from (
          select workspace_id, status, total as counted, 0 as rows from ${table("email_counts")}
          union all
          select workspace_id, 'accepted', 0, 1 from ${table("emails")} where workspace_id is not null
          union all
          select workspace_id, status, 0, 1 from ${table("email_outcomes")} where workspace_id is not null
        ) as c group by workspace_id, status having sum(counted) <> sum(rows)`,
    ),
    read(
      "an e-mail is not in one place",
      sql`
        select id, places from (
          select e.id, (select count(*) from ${table("email_queue")} as q where q.email_id = e.id)
            + (select count(*) from ${table("claim_items")} as i where i.email_id = e.id)
            + (select count(*) from ${table("email_outcomes")} as o where o.email_id = e.id) as places
          from ${table("emails")} as e
        ) as p where places <> 1`,
    ),
    read(
      "a settled e-mail has an open recipient, or a waiting one none",
      sql`
        select e.id, o.status from ${table("emails")} as e
        left join ${table("email_outcomes")} as o on o.email_id = e.id
        where (o.email_id is null) <> exists (
          select 1 from ${table("email_recipients")} as r where r.email_id = e.id and r.settled_at is null
        )`,
    ),
    read(
      "a waiting e-mail has no content",
      sql`
        select q.email_id from ${table("email_queue")} as q
        join ${table("emails")} as e on e.id = q.email_id
        where e.content_id is null
          or not exists (select 1 from ${table("email_payloads")} as p where p.email_id = q.email_id)`,
    ),
    read(
      "a batch is left without e-mails",
      sql`
        select b.uuid, b.accepted from ${table("batches")} as b where b.accepted > 0
          and not exists (select 1 from ${table("emails")} as e where e.batch_id = b.uuid)`,
    ),
    read(
      "a total of all workspaces is not the sum of their hours",
      sql`
        select metric, sum(total) as total, sum(hours) as hours from (
          select metric, case when workspace_id = 0 then total else 0 end as total,
            case when workspace_id = 0 then 0 else total end as hours from ${table("mail_metrics")}
        ) as m group by metric
        having sum(total) < sum(hours) or (metric <> 'bounced' and sum(total) > sum(hours))`,
    ),
    ...belongings.map((name) =>
      read(
        `${name} has a row without an e-mail`,
        sql`
          select b.email_id from ${table(name)} as b
          where not exists (select 1 from ${table("emails")} as e where e.id = b.email_id)`,
      ),
    ),
  ]);
  return found.flat();
}

/** What is gone with the last e-mail. */
const mail = [
  "emails",
  ...belongings,
  "batches",
  "contents",
  "attachment_sets",
  "attachment_set_items",
  "blobs",
  "blob_chunks",
] as const;

/** Names of a storage's tables of mail that have rows. */
export async function leftIn(storage: Storage): Promise<string[]> {
  const { db, engine } = sideOf(storage);
  const names: string[] = [];
  for (const name of mail) {
    const { rows } = await sql`select 1 from ${engine.table(name)} limit 1`.execute(db);
    if (rows.length > 0) names.push(name);
  }
  return names;
}
