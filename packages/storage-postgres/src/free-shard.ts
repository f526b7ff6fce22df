import { createHash, randomInt } from "node:crypto";
import { type RawBuilder, sql } from "kysely";

/** Shards of a counter: few enough to be summed at once, enough for the transactions that count at the same time. */
const shards = 16;
/** A host's transaction may stay open: it counts where the service itself never does. */
const hostShards = 64;

/**
 * The first shard from `from` on that no open transaction counts in; it is this one's until its end. Nobody waits for the lock that says so.
 * Where all are taken, it is the one to begin with, and whoever counts in it is waited for.
 */
const firstFree = (schema: string, first: number, count: number): RawBuilder<number> => {
  const space = createHash("sha256").update(`posthorn shards ${schema}`).digest().readInt32BE();
  const from = randomInt(count);
  const shard = sql`${sql.lit(first)} + (${sql.lit(from)} + n) % ${sql.lit(count)}`;
  return sql<number>`coalesce((
    select ${shard} from generate_series(0, ${sql.lit(count - 1)}) as n
    where pg_try_advisory_xact_lock(${sql.lit(space)}, ${shard}) limit 1
  ), ${sql.lit(first + from)})`;
};

/** For the service's own transactions. Each process begins at a shard of its own choice, so that it mostly has the same. */
export const freeShard = (schema: string): RawBuilder<number> => firstFree(schema, 1, shards);

/** For a transaction of a host's. */
export const freeHostShard = (schema: string): RawBuilder<number> =>
  firstFree(schema, 1 + shards, hostShards);
