import type { Database } from "better-sqlite3";
import { busyTimeoutMs } from "../connections/open-database.ts";
import { takeDriver } from "../connections/take-driver.ts";

/**
 * Whether an existing file is a database that a storage has never opened: it has none of its tables, and is not in WAL
 * mode, which a storage would switch it to for all of its programs. `false` if that can't be told, such as of a file that
 * is damaged or locked. Changes nothing.
 */
export const isForeignFile = async (filename: string): Promise<boolean> =>
  await look(filename, (database) => !isWal(database) && !hasOurTables(database));

/** Whether an existing file has other programs' tables, and none of ours; also `false` if that can't be told. */
export const holdsOthersOnly = async (filename: string): Promise<boolean> =>
  await look(filename, (database) => hasTables(database, "%") && !hasOurTables(database));

const isWal = (database: Database): boolean => database.pragma("journal_mode", { simple: true }) === "wal";

const hasOurTables = (database: Database): boolean => hasTables(database, "posthorn\\_schema\\_migrations");

/** SQLite's own tables don't count. */
const hasTables = (database: Database, pattern: string): boolean =>
  database
    .prepare(
      "select 1 from sqlite_schema where type = 'table' and name like ? escape '\\' and name not like 'sqlite\\_%' escape '\\'",
    )
    .get(pattern) !== undefined;

async function look(filename: string, at: (database: Database) => boolean): Promise<boolean> {
  const { Sqlite, leave } = await takeDriver(filename);
  try {
    const database = new Sqlite(filename, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      return at(database);
    } finally {
      database.close();
    }
  } catch {
    return false;
  } finally {
    leave();
  }
}
