import { StorageUnavailable } from "@posthorn/core/storage";
import type { Engine, Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";

/** The tables that each request or delivery writes to. */
const written = ["workspaces", "api_keys", "emails", "email_queue", "events"] as const;

const takesWrites = sql`current_setting('transaction_read_only') = 'off'`;

const refuseReadOnly = (row: { writable: boolean } | undefined): void => {
  if (!row?.writable) throw new StorageUnavailable("PostgreSQL takes no writes");
};

/**
 * Checks that the server takes writes: a standby does not, nor does a database that its host has made read-only. Rejects
 * with `StorageUnavailable`.
 */
export const assertWritable = async (db: Handle): Promise<void> => {
  const { rows } = await sql<{ writable: boolean }>`select ${takesWrites} as writable`.execute(db);
  refuseReadOnly(rows[0]);
};

/**
 * Checks that the storage can work: the server answers, takes writes (a standby does not, nor does a database that its
 * host has made read-only, such as before its disk is full), it has our tables, and nobody holds a lock that blocks
 * writers, such as an operator's change of a table. Rejects with `StorageUnavailable`; because of a lock after its
 * time-out.
 */
export const assertOpen = (db: Handle, engine: Engine): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const tables = sql.join(written.map((name) => engine.table(name)));
    const { rows } = await sql<{ writable: boolean }>`select ${takesWrites} as writable`.execute(transaction);
    refuseReadOnly(rows[0]);
    await sql`lock table ${tables} in row exclusive mode`.execute(transaction);
  });
