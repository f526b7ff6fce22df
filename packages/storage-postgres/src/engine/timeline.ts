import { skippedIds } from "@posthorn/core/storage";
import type { Handle } from "@posthorn/storage-sql";
import { CompiledQuery } from "kysely";
import { quotedTable } from "./quoted.ts";

/** The number of the server's timeline, in eight hexadecimal digits. */
const expression = "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";
const factName = "timeline";

/**
 * The timeline of the server: a standby that takes over begins a new one, as does a server restored to a point in time.
 * It may lack the last rows that were committed before, whose ids are known outside.
 */
export interface Timeline {
  /** Reads whether the server tells its timeline: some services that speak for PostgreSQL don't. */
  probe(db: Handle): Promise<void>;
  /** SQL of the current timeline, to be read together with new ids. */
  text(): string;
  /**
   * Whether the server's timeline is not the one that this process knew: ids read with it, or before, must not be used.
   * By then none is assigned any more that may belong to a lost row (`skippedIds`): the first process that notices
   * moves the tables' sequences on, in one statement.
   */
  isNew(db: Handle, seen: string | null): Promise<boolean>;
  /** Does the same before any ids are read. Returns whether the server tells its timeline, which a standby does not. */
  note(db: Handle): Promise<boolean>;
  /** A connection was lost: the next one may lead to another server. */
  doubt(): void;
  /** Whether `assure` has something to wait for. */
  isInDoubt(): boolean;
  /**
   * After a doubt, does the same before anything is written, as the server assigns most ids itself. `undefined` if there
   * is nothing to wait for.
   */
  assure(db: Handle): Promise<void> | undefined;
  /**
   * Does the same on a host's connection, whose loss raises no doubt, unless the server was asked within the last second.
   * A doubt about our own connections stays.
   */
  assureWithin(db: Handle): Promise<void>;
}

/** Ms in which no standby takes over: it has to be promoted, and the pooler led to it. */
const sureForMs = 1_000;

/** `losesUnseen`: behind a pooler, connections outlast those to the server, and a lost one may raise no doubt. */
export const createTimeline = (schema: string, { losesUnseen = false } = {}): Timeline => {
  let known: string | undefined;
  let isTold = false;
  let isDoubtful = false;
  let settledAt = Number.NEGATIVE_INFINITY;
  let assuring: Promise<void> | undefined;
  const facts = quotedTable(schema, "facts");
  // A role that may insert rows, but not move a sequence, goes on all the same.
  const moves = Object.entries(skippedIds).map(([table, count]) => {
    const sequence = `'${quotedTable(schema, `${table}_id_seq`)}'::regclass`;
    return `case when has_sequence_privilege(${sequence}, 'UPDATE') then setval(${sequence}, nextval(${sequence}) + ${count}) end`;
  });
  // Without a `with`: inside a host's transaction the statement is part of another, where PostgreSQL refuses one that writes.
  const moveText = `update ${facts} set value = $1 where name = '${factName}' and value <> $1 returning ${moves.join(", ")}`;
  const keepText = `insert into ${facts} (name, value) values ('${factName}', $1) on conflict (name) do nothing`;
  const text = (): string => (isTold ? expression : "null::text");

  const isNew: Timeline["isNew"] = async (db, seen) => {
    if (seen === null || seen === known) return false;
    const { rows } = await db.executeQuery<{ value: string }>(
      CompiledQuery.raw(`select value from ${facts} where name = '${factName}'`) as CompiledQuery<{
        value: string;
      }>,
    );
    const kept = rows[0]?.value;
    const change = kept === undefined ? keepText : moveText;
    if (kept !== seen) await db.executeQuery(CompiledQuery.raw(change, [seen]));
    const isFirst = known === undefined && (kept === undefined || kept === seen);
    known = seen;
    return !isFirst;
  };
  const note: Timeline["note"] = async (db) => {
    const askedAt = performance.now();
    const { rows } = await db.executeQuery<{ seen: string | null }>(
      CompiledQuery.raw(
        `select case when pg_is_in_recovery() then null else ${text()} end as seen`,
      ) as CompiledQuery<{ seen: string | null }>,
    );
    const seen = rows[0]?.seen ?? null;
    await isNew(db, seen);
    if (seen === null) return false;
    settledAt = askedAt;
    return true;
  };
  const isUnsure = (): boolean => isDoubtful || performance.now() - settledAt > sureForMs;
  const isDue = (): boolean => isTold && (losesUnseen ? isUnsure() : isDoubtful);
  const settleDoubt = async (db: Handle): Promise<void> => {
    // What is lost from here on is a doubt of its own.
    isDoubtful = false;
    let isSettled = false;
    try {
      // A standby may take over on the connections that it has.
      isSettled = await note(db);
    } finally {
      if (!isSettled) isDoubtful = true;
      assuring = undefined;
    }
  };
  return {
    text,
    isNew,
    note,
    doubt() {
      isDoubtful = true;
    },
    isInDoubt: () => assuring !== undefined || isDue(),
    assure(db) {
      if (isDue()) assuring ??= settleDoubt(db);
      return assuring;
    },
    // Not shared: another's writes would wait for the host's connection, and fail with it.
    async assureWithin(db) {
      if (isTold && isUnsure()) await note(db);
    },
    async probe(db) {
      const asked = `select case when pg_is_in_recovery() then '' else ${expression} end as timeline`;
      isTold = await db.executeQuery(CompiledQuery.raw(asked)).then(
        () => true,
        () => false,
      );
    },
  };
};
