import { type Handle, shardsOfTurn } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";

/** Counting statements of this process after which it looks again: its rows have about as many versions at most. */
const lookAfter = 1_000;
/** Age in transactions from which on a snapshot is old. */
const oldFrom = 2_000;

/**
 * The next transaction's number, and the age of the oldest snapshot for which row versions are kept. All roles see these
 * columns. An autovacuum, which has no user, keeps none.
 */
const lookText = `
  select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, (
    select max(age(version)) from (
      select unnest(array[backend_xmin, backend_xid]) as version from pg_catalog.pg_stat_activity
        where pid <> pg_backend_pid() and usesysid is not null and (datname = current_database() or datname is null)
      union all select xmin from pg_catalog.pg_replication_slots
      union all select transaction from pg_catalog.pg_prepared_xacts where database = current_database()
    ) as held where version is not null
  ) as age`;

/** When this process counts in new rows. */
export interface ShardTurns {
  /** The turn: 0 while no snapshot is old. */
  current(): number;
  /** What is added to the numbers of shards. Call it once for each statement that counts. */
  offset(): number;
  /** Resolves when no look is under way. */
  settled(): Promise<void>;
}

/**
 * Lets counters go on in new rows while a snapshot is old, as a dump's or that of a forgotten transaction: PostgreSQL
 * then keeps every version of a row, and each update walks over all of them. Without one, shards stay the same.
 */
export const createShardTurns = (db: () => Handle): ShardTurns => {
  let counted = 0;
  let turn = 0;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const { rows } = await db().executeQuery(
      CompiledQuery.raw(lookText) as CompiledQuery<{ next: number; age: number | null }>,
    );
    turn = Number(rows[0]?.age ?? 0) < oldFrom ? 0 : Number(rows[0]?.next);
  };
  return {
    current: () => turn,
    offset() {
      counted += 1;
      if (counted >= lookAfter && looking === undefined) {
        counted = 0;
        // Nothing depends on it: it is tried again after as many statements.
        looking = look()
          .catch(() => {})
          .finally(() => {
            looking = undefined;
          });
      }
      return turn * shardsOfTurn;
    },
    settled: async () => looking,
  };
};
