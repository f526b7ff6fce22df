import type { Handle } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import { quotedTable } from "../engine/quoted.ts";

/** Ms between two looks at the statistics, however slow the answers are: most have other reasons. */
const pauseMs = 10_000;
/** A table is stale if it has more rows than twice those that PostgreSQL plans for, and this many more. */
const moreRows = 1_000;
/** Bytes for which PostgreSQL plans where it has no statistics: ten pages. */
const plannedBytes = 10 * 8_192;

/**
 * Whether the role may analyze a table: the server warns in its log of each that it may not. The owners of the database
 * may; from version 17 on, a table's owner can give the right to others.
 */
const mayAnalyze = `(
  pg_has_role((select datdba from pg_database where datname = current_database()), 'usage')
  or case when current_setting('server_version_num')::int >= 170000
    then has_table_privilege(c.oid, 'maintain') else pg_has_role(c.relowner, 'usage') end)`;

/**
 * The server's counters of rows are empty after a crash or `pg_upgrade`, which before version 18 leaves the statistics
 * behind, too: autovacuum then waits until many rows of a table have changed. A table without statistics is told by its
 * size, which is asked of no other, as whoever asks waits for its locks.
 */
const staleText = `
  select c.relname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind = 'r' and ${mayAnalyze} and (
    pg_stat_get_live_tuples(c.oid) > 2 * greatest(c.reltuples, 0) + ${moreRows}
    or case when c.reltuples < 0 then pg_relation_size(c.oid) > ${plannedBytes} else false end)`;

const analyzeGrown = async (db: Handle, schema: string): Promise<void> => {
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(staleText, [schema]) as CompiledQuery<{ relname: string }>,
  );
  if (rows.length === 0) return;
  const tables = rows.map(({ relname }) => quotedTable(schema, relname)).join(", ");
  await db.executeQuery(CompiledQuery.raw(`analyze (skip_locked) ${tables}`));
};

/** Watches how long statements take. */
export interface StaleStatistics {
  /** Reports a statement that began at `began`, by the clock `now`, and has ended. */
  ended(began: number): void;
  /** Resolves when no look is under way. */
  settled(): Promise<void>;
}

/**
 * Analyzes tables that have grown, once a statement was slow. Autovacuum does so too, but a minute or more later: until
 * then, PostgreSQL plans for the few rows of before, and keeps plans that read a long queue as if it were empty. All
 * connections of all processes plan anew after that. A role that may not analyze a table leaves it as it is.
 */
export const createStaleStatistics = (
  db: () => Handle,
  { schema, slowMs, now = () => performance.now() }: { schema: string; slowMs: number; now?: () => number },
): StaleStatistics => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();
  return {
    ended(began) {
      const at = now();
      if (at - began < slowMs || at - lookedAt < pauseMs) return;
      lookedAt = at;
      // Nothing depends on it: the next slow statement tries again.
      looking = analyzeGrown(db(), schema).catch(() => {});
    },
    settled: () => looking,
  };
};
