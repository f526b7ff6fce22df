import { assertNodeVersion } from "./assert-node-version.ts";

/**
 * Whether another connection, of this process or another, has the database open, idle or not: each holds a lock on the file as long as
 * it is open in WAL mode, whatever the system (sqlite.org/walformat.html, 2.3). Throws where there is no file.
 */
export const isSqliteInUse = async (filename: string): Promise<boolean> => {
  assertNodeVersion(process.versions.node);
  const { default: Sqlite } = await import("better-sqlite3");
  const database = new Sqlite(filename, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("begin immediate; rollback");
    return false;
  } catch (error) {
    if (/^SQLITE_BUSY/.test(String((error as { code?: unknown }).code))) return true;
    throw error;
  } finally {
    database.close();
  }
};
