import { createHash, randomInt } from "node:crypto";
import { type RawBuilder, sql } from "kysely";

/** Shards per counter: few enough to sum at once, enough for concurrent transactions. */
const shards = 16;
/** A host's transaction may stay open, so it counts in shards that the service never uses. */
const hostShards = 64;

/**
 * The first shard from `from` on in which no open transaction counts; it is locked until this transaction ends. Nobody
 * waits for that lock. If all are taken, it returns `from`, and waits there for the other transaction.
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

/** For the service's own transactions. Each process starts at a random shard, so that it mostly gets the same. */
export const freeShard = (schema: string): RawBuilder<number> => firstFree(schema, 1, shards);

/** For a host's transaction. */
export const freeHostShard = (schema: string): RawBuilder<number> =>
  firstFree(schema, 1 + shards, hostShards);
