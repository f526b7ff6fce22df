import type { EmptiedPiece, EmptiedTo } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import type { Database } from "../../tables.ts";
import { removeOldest } from "../mail/emails/remove-old.ts";

type Key = readonly (string | number)[];

/** A table's rows that belong to a workspace, or to something of it. */
interface Belonging {
  table: keyof Database;
  /** The column by which they belong. */
  by: string;
  /** The columns after it, of an index that has the rows in this order. */
  key: readonly string[];
  /** What of the workspace they belong to, unless it is the workspace itself. */
  owner?: keyof Database;
}

const deliveries: Belonging = {
  table: "webhook_deliveries",
  by: "webhook_id",
  key: ["id"],
  owner: "webhooks",
};

/** Tables that grow without bound per workspace, except e-mails. All others are small. */
const belongings: readonly Belonging[] = [
  { table: "campaign_recipients", by: "campaign_id", key: ["position"], owner: "campaigns" },
  deliveries,
  { table: "suppressions", by: "workspace_id", key: ["id"] },
  { table: "inbound_reports", by: "workspace_id", key: ["id"] },
  { table: "bounce_days", by: "workspace_id", key: ["address_key", "category", "day"] },
  { table: "dedupe_keys", by: "workspace_id", key: ["key"] },
  { table: "batches", by: "workspace_id", key: ["id"] },
];

interface Piece {
  workspaceId: number;
  limit: number;
  /** The last row of the previous piece; empty for none. */
  after: Key;
}

/** The rows removed, and the last that was looked at, if there were any. */
interface Removed {
  removed: number;
  last: Key | undefined;
}

/**
 * Deletes up to `limit` rows that belong to a workspace, in one transaction, from where the previous piece ended: beside an
 * old transaction, PostgreSQL keeps removed rows, and each piece would read all that were removed before.
 */
export const emptyWorkspace = (
  db: Handle,
  engine: Engine,
  { from, ...wanted }: { workspaceId: number; limit: number; from: EmptiedTo | undefined },
): Promise<EmptiedPiece> =>
  atomically(db, async (tx) => {
    let after = from?.after ?? [];
    for (let table = from?.table ?? 0; table <= belongings.length; table += 1) {
      const { removed, last } = await removeNext(tx, engine, table, { ...wanted, after });
      if (last !== undefined) return { removed, next: { table, after: last } };
      after = [];
    }
    return { removed: 0, next: undefined };
  });

/** Rows deleted in one statement. */
const roundSize = 1_000;

/** Deletes all webhook deliveries of a workspace, in the caller's transaction. */
export async function removeDeliveries(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  for (let after: Key | undefined = []; after !== undefined; )
    ({ last: after } = await removeBelonging(db, engine, deliveries, {
      workspaceId,
      limit: roundSize,
      after,
    }));
}

async function removeNext(db: Handle, engine: Engine, table: number, piece: Piece): Promise<Removed> {
  const belonging = belongings[table - 1];
  if (belonging !== undefined) return await removeBelonging(db, engine, belonging, piece);
  const { removed, last } = await removeOldest(db, engine, { ...piece, after: Number(piece.after[0] ?? 0) });
  return { removed, last: last === undefined ? undefined : [last] };
}

async function removeBelonging(
  db: Handle,
  engine: Engine,
  belonging: Belonging,
  { workspaceId, limit, after }: Piece,
): Promise<Removed> {
  if (belonging.owner === undefined)
    return await removeOf(db, engine, belonging, { owner: workspaceId, limit, after });
  const [former = 0, ...behind] = after;
  const owner = await findOwner(db, engine, { ...belonging, owner: belonging.owner }, workspaceId, {
    former: Number(former),
    behind: Number(behind[0] ?? 0),
  });
  if (owner === undefined) return { removed: 0, last: undefined };
  const { removed, last } = await removeOf(db, engine, belonging, {
    owner,
    limit,
    after: owner === former ? behind : [],
  });
  return { removed, last: [owner, ...(last ?? [Number.MAX_SAFE_INTEGER])] };
}

/** The first of a workspace's campaigns or webhooks that has rows behind a place. */
async function findOwner(
  db: Handle,
  engine: Engine,
  { table, by, key, owner }: Required<Belonging>,
  workspaceId: number,
  { former, behind }: { former: number; behind: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select o.id from ${engine.table(owner)} as o where o.workspace_id = ${workspaceId} and o.id >= ${former}
      and exists (
        select 1 from ${engine.table(table)} as r where r.${sql.ref(by)} = o.id
          and r.${sql.join(key.map((column) => sql.ref(column)))} > case when o.id = ${former} then cast(${behind} as bigint) else 0 end
      )
    order by o.id limit 1
  `.execute(db);
  return rows[0]?.id;
}

/**
 * Deletes the first rows behind a place of those that belong to one owner. The last of them is found beforehand, by the
 * index alone: no planner compares each row with each, and none sorts.
 */
async function removeOf(
  db: Handle,
  engine: Engine,
  { table, by, key }: Belonging,
  { owner, limit, after }: { owner: number; limit: number; after: Key },
): Promise<Removed> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isBehind = after.length === 0 ? sql`true` : sql`(${columns}) > (${sql.join(after)})`;
  const own = sql`${engine.table(table)} where ${sql.ref(by)} = ${owner} and ${isBehind}`;
  const found = await sql<Record<string, string | number>>`
    select ${columns} from ${own} order by ${columns} limit ${limit}
  `.execute(db);
  const row = found.rows.at(-1);
  if (row === undefined) return { removed: 0, last: undefined };
  const last = key.map((column) => row[column] ?? 0);
  const { rows } = await sql`
    delete from ${own} and (${columns}) <= (${sql.join(last)}) returning 1 as removed
  `.execute(db);
  return { removed: rows.length, last };
}
