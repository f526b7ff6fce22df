import { busyTimeoutMs } from "./open-database.ts";
import { takeDriver } from "./take-driver.ts";

/**
 * Whether an existing file is a database that a storage has never opened: it has none of its tables, and is not in WAL
 * mode, which a storage would switch it to for all of its programs. `false` if that can't be told, such as of a file that
 * is damaged or locked. Changes nothing.
 */
export const isForeignFile = async (filename: string, tablePrefix = "posthorn_"): Promise<boolean> => {
  const { Sqlite, leave } = await takeDriver(filename);
  try {
    const database = new Sqlite(filename, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      if (database.pragma("journal_mode", { simple: true }) === "wal") return false;
      const ours = database.prepare("select 1 from sqlite_schema where name = ?");
      return ours.get(`${tablePrefix}schema_migrations`) === undefined;
    } finally {
      database.close();
    }
  } catch {
    return false;
  } finally {
    leave();
  }
};
