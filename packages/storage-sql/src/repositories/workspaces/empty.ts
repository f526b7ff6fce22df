import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import type { Database } from "../../tables.ts";
import { removeRecipients } from "../mail/campaigns/recipients.ts";
import { removeOldest } from "../mail/emails/remove-old.ts";

/** A table's rows that belong to a workspace, and the columns of its primary key. */
interface Belonging {
  table: keyof Database;
  key: readonly string[];
  /**
   * The column by which it belongs, and the rows of the workspace it refers to, unless that is the workspace itself.
   */
  through?: { column: string; table: keyof Database };
}

const deliveries: Belonging = {
  table: "webhook_deliveries",
  key: ["id"],
  through: { column: "webhook_id", table: "webhooks" },
};

/** Tables that grow without bound per workspace, except e-mails and campaign lists. All others are small. */
const belongings: readonly Belonging[] = [
  deliveries,
  { table: "suppressions", key: ["id"] },
  { table: "inbound_reports", key: ["id"] },
  { table: "bounce_days", key: ["workspace_id", "address_key", "category", "day"] },
  { table: "dedupe_keys", key: ["workspace_id", "key"] },
  { table: "batches", key: ["id"] },
];

/** Deletes up to `limit` rows that belong to a workspace, in one transaction; returns whether there were any. */
export const emptyWorkspace = (
  db: Handle,
  engine: Engine,
  wanted: { workspaceId: number; limit: number },
): Promise<boolean> =>
  atomically(db, async (tx) => {
    if ((await removeOldest(tx, engine, wanted)) > 0) return true;
    if (await emptyList(tx, engine, wanted)) return true;
    for (const belonging of belongings)
      if ((await removeSome(tx, engine, { ...wanted, ...belonging })) > 0) return true;
    return false;
  });

/** Rows deleted in one statement. */
const roundSize = 1_000;

/** Deletes all webhook deliveries of a workspace, in the caller's transaction. */
export async function removeDeliveries(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  while ((await removeSome(db, engine, { workspaceId, limit: roundSize, ...deliveries })) > 0);
}

/** Deletes recipients of the first campaign that has any. */
async function emptyList(
  db: Handle,
  engine: Engine,
  { workspaceId, limit }: { workspaceId: number; limit: number },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select c.id from ${engine.table("campaigns")} as c where c.workspace_id = ${workspaceId}
      and exists (select 1 from ${engine.table("campaign_recipients")} as r where r.campaign_id = c.id)
    order by c.id limit 1
  `.execute(db);
  const [campaign] = rows;
  return campaign !== undefined && (await removeRecipients(db, campaign.id, limit)) > 0;
}

async function removeSome(
  db: Handle,
  engine: Engine,
  { table, key, through, workspaceId, limit }: Belonging & { workspaceId: number; limit: number },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const belongs =
    through === undefined
      ? sql`workspace_id = ${workspaceId}`
      : sql`${sql.ref(through.column)} in (select id from ${engine.table(through.table)} where workspace_id = ${workspaceId})`;
  const { rows } = await sql`
    delete from ${engine.table(table)} where (${columns}) in (
      select ${columns} from ${engine.table(table)} where ${belongs} limit ${limit}
    ) returning 1 as removed
  `.execute(db);
  return rows.length;
}
