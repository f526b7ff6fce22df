import { assertNodeVersion } from "./assert-node-version.ts";

/**
 * Copies a database to a new file while it is in use, as it was at one instant (SQLite's online backup). Throws where there is
 * no source, or where the target exists.
 */
export const backupSqlite = async (source: string, target: string): Promise<void> => {
  assertNodeVersion(process.versions.node);
  const [{ default: Sqlite }, { existsSync }] = await Promise.all([
    import("better-sqlite3"),
    import("node:fs"),
  ]);
  if (existsSync(target)) throw new Error(`${target} exists already`);
  const database = new Sqlite(source, { readonly: true, fileMustExist: true });
  try {
    await database.backup(target);
  } finally {
    database.close();
  }
};
