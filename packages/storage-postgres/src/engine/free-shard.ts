import { createHash, randomInt } from "node:crypto";
import { type Engine, madeOf } from "@posthorn/storage-sql";
import { type RawBuilder, sql } from "kysely";
import type { ShardTurns } from "./shard-turns.ts";

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

/** In this turn. What is locked is the same in all turns. */
const inTurn =
  (free: RawBuilder<number>, turns: ShardTurns): Engine["shard"] =>
  (rows) =>
    sql<number>`${free} + ${sql.val(madeOf(rows, () => turns.offset()))}::bigint`;

/** For the service's own transactions. Each process starts at a random shard, so that it mostly gets the same. */
export const freeShard = (schema: string, turns: ShardTurns): Engine["shard"] =>
  inTurn(firstFree(schema, 1, shards), turns);

/** For a host's transaction. */
export const freeHostShard = (schema: string, turns: ShardTurns): Engine["shard"] =>
  inTurn(firstFree(schema, 1 + shards, hostShards), turns);
