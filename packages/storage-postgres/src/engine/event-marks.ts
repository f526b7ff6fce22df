import { createHash } from "node:crypto";
import type { Engine } from "@posthorn/storage-sql";
import { sql } from "kysely";

/**
 * Keys of advisory locks hold the schema in their upper 24 bits and an event's id in the lower 40, a million million.
 * Where two schemas have the same number, followers of one wait at the ids of the other: so it has as many bits as are
 * left, but for the sign.
 */
const idBits = 40;
const idBitsInUpperHalf = idBits - 32;

const numberOf = (schema: string): number =>
  createHash("sha256").update(`posthorn events ${schema}`).digest().readUInt32BE() >>> (idBits - 31);

/**
 * The condition of every insert of events. Sequences assign ids before the commit, so a later id may be committed first.
 * Each transaction that appends events therefore holds, until it ends, a shared advisory lock whose key is the last id
 * assigned before its own. Nobody waits for such a lock. A long transaction without events delays nothing, nor does a
 * host's. PostgreSQL evaluates the condition once, before the first row gets its id.
 */
export const eventMark = (schema: string): string =>
  // The default name of an identity column's sequence; it is resolved when the statement is prepared, not at each
  // execution.
  `(select pg_advisory_xact_lock_shared((${numberOf(schema)}::bigint << ${idBits})
    + coalesce(pg_sequence_last_value('"${schema}"."events_id_seq"'::regclass), 0))) is not null`;

/** Readers of the events look at those locks in `pg_locks`, and read no further than the smallest key. */
export const createEventHorizon = (schema: string): Pick<Engine, "findEventHorizon"> => {
  const space = numberOf(schema);
  const sequence = sql`pg_get_serial_sequence(${`"${schema}"."events"`}, 'id')::regclass`;
  return {
    async findEventHorizon(db) {
      // Reads the last id before the locks, which the reference to it ensures: a writer that appears in between gets
      // higher ids.
      const { rows } = await sql<{ horizon: number }>`
        with given as materialized (select coalesce(pg_sequence_last_value(${sequence}), 0) as last)
        select least(last, (
          select min(((classid::bigint & ${sql.lit(2 ** idBitsInUpperHalf - 1)}) << 32) | objid::bigint) from pg_catalog.pg_locks
          where locktype = 'advisory' and objsubid = 1 and classid::bigint >> ${sql.lit(idBitsInUpperHalf)} = ${space}::bigint and given.last is not null
            and database = (select oid from pg_catalog.pg_database where datname = current_database())
        )) as horizon from given
      `.execute(db);
      return Number(rows[0]?.horizon ?? 0);
    },
  };
};
