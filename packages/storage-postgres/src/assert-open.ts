import type { Engine, Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";

/** Those that every request or delivery writes to. */
const written = ["workspaces", "api_keys", "emails", "email_queue", "events"] as const;

/**
 * Whether the storage can do its work: the server answers, and nobody, such as an operator's change of a table, holds a lock that keeps
 * everybody else from writing. Rejects with `StorageUnavailable` after the time-out for locks.
 */
export const assertOpen = (db: Handle, engine: Engine): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const tables = sql.join(written.map((name) => engine.table(name)));
    const { rows } = await sql<{ there: boolean }>`
      select to_regclass(${engine.ddl.table("events")}) is not null as there`.execute(transaction);
    // Before it is migrated there is nothing to hold.
    if (rows[0]?.there) await sql`lock table ${tables} in row exclusive mode`.execute(transaction);
  });
