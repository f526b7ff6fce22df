import { assertNodeVersion } from "@posthorn/storage-sql";
import { assertOwnWal } from "./assert-own-wal.ts";
import { explainRefusal } from "./explain-refusal.ts";

/**
 * Whether another connection, of this or another process, has the database open, idle or not: in WAL mode each open
 * connection holds a lock on the file, on every system (sqlite.org/walformat.html, 2.3). Throws if the file is
 * missing, or a WAL of another database lies beside it.
 */
export const isSqliteInUse = async (filename: string): Promise<boolean> => {
  assertNodeVersion("SQLite");
  assertOwnWal(filename);
  const { default: Sqlite } = await import("better-sqlite3");
  const database = new Sqlite(filename, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("begin immediate; rollback");
    return false;
  } catch (error) {
    if (/^SQLITE_BUSY/.test(String((error as { code?: unknown }).code))) return true;
    throw explainRefusal(error, filename);
  } finally {
    database.close();
  }
};
