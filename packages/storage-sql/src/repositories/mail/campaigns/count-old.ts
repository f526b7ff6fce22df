import type { OldRows, RetentionEnds } from "@posthorn/core/storage";
import { sql } from "kysely";
import { forOperator, readLong } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { isEnded } from "./remove-old.ts";

const types = { workspace: "bigint", log: "bigint", upto: "bigint" } as const;

interface OldList {
  id: number;
  is_past_log: boolean | number;
}

/** The lists of campaigns that ended before their workspace's times, and that are not empty or have values yet. */
const findLists = (db: Handle, engine: Engine, ends: readonly RetentionEnds[]): Promise<OldList[]> => {
  const rows = ends.flatMap(({ workspaceId: workspace, log = 0, content = 0 }) =>
    workspace === undefined ? [] : { workspace, log, upto: Math.max(log, content) },
  );
  return readLong(
    db,
    sql<OldList>`
    select c.id, c.updated_at < v.log as is_past_log
    from ${engine.valuesToFind("v", types, rows)}
    join ${engine.table("campaigns")} as c on c.workspace_id = v.workspace and ${isEnded} and c.updated_at < v.upto
    where (c.updated_at < v.log or c.forgotten_at is null) and (
      select 1 from ${engine.table("campaign_recipients")} as r where r.campaign_id = c.id limit 1
    ) = 1`,
    forOperator,
  );
};

/**
 * Counts the recipients of campaigns that ended before their workspaces' times, and those of the others whose values are
 * past theirs. Few campaigns have any: those are counted one by one, as each may have a million.
 */
export async function countOldRecipients(
  db: Handle,
  engine: Engine,
  ends: readonly RetentionEnds[],
): Promise<Pick<OldRows, "recipients" | "values">> {
  const total = { recipients: 0, values: 0 };
  for (const { id, is_past_log: isPastLog } of await findLists(db, engine, ends)) {
    const [counted] = await readLong(
      db,
      sql<{ rows: number }>`
      select count(*) as rows from ${engine.table("campaign_recipients")} as r
      where r.campaign_id = ${id} ${isPastLog ? sql`` : sql`and r.template_data <> '{}'`}`,
      forOperator,
    );
    total[isPastLog ? "recipients" : "values"] += Number(counted?.rows ?? 0);
  }
  return total;
}
