import { sql } from "kysely";
import { atomically } from "./atomically.ts";
import { sumUp } from "./create-counters.ts";
import type { Engine, Handle } from "./engine.ts";
import type { ValueType } from "./tables/columns.ts";
import { columnsOf } from "./tables.ts";

/**
 * Shards in use at a time. An engine that can't update a row again and again goes on in higher ones: in the n-th turn
 * from n times this number on. The tables' indexes of those have this number, too.
 */
export const shardsOfTurn = 128;

/** Counters that may last. Those of `usage` are removed soon. */
const lasting = ["email_counts", "mail_metrics", "campaign_counts"] as const;
type Lasting = (typeof lasting)[number];

/**
 * Sums up shards of turns in shard 0, which nothing else counts in on such an engine; at most `limit` in all. Returns
 * their number. Whoever counts in one of them waits, finds it gone, and creates it again: within a transaction that may
 * stay open, such as a host's, nothing is folded.
 */
export async function foldCounters(db: Handle, engine: Engine, limit: number): Promise<number> {
  if (db.isTransaction) return 0;
  let folded = 0;
  for (const table of lasting)
    if (folded < limit) folded += await foldTable(db, engine, { table, limit: limit - folded });
  return folded;
}

type Shard = Record<string, string | number>;

const foldTable = (
  db: Handle,
  engine: Engine,
  { table, limit }: { table: Lasting; limit: number },
): Promise<number> =>
  atomically(db, async (tx) => {
    const types: Readonly<Record<string, ValueType>> = columnsOf(table);
    const { total: _, ...key } = types;
    const keys = Object.keys(key).filter((column) => column !== "shard");
    const own = sql.join([...keys, "shard"].map((column) => sql.id(column)));
    const rows = (await engine
      .skipLocked(
        tx
          .selectFrom(table)
          .selectAll()
          .where("shard", ">=", sql.lit(shardsOfTurn))
          .orderBy(own)
          .limit(limit),
      )
      .execute()) as unknown as Shard[];
    if (rows.length === 0) return 0;
    await sql`
      delete from ${engine.table(table)} where (${own}) in (
        select ${own} from ${engine.valuesTable("v", key, rows)}
      )
    `.execute(tx);
    const sums = sumUp(
      keys,
      rows.map(
        ({ total, ...row }) =>
          ({ ...row, by: Number(total) }) as Record<string, string | number> & { by: number },
      ),
    ).map(({ by, ...row }) => ({ ...row, shard: 0, total: by }));
    const columns = sql.join([...keys, "shard", "total"].map((column) => sql.id(column)));
    await sql`
      insert into ${engine.table(table)} as c (${columns})
      select ${columns} from ${engine.valuesTable("v", types, sums)} where true
      on conflict (${own}) do update set total = c.total + excluded.total
    `.execute(tx);
    return rows.length;
  });
