import { rmSync } from "node:fs";
import { assertNodeVersion } from "./assert-node-version.ts";
import { makePrivateFile } from "./watch-file.ts";

/**
 * Copies a database to a new file, for its owner alone, while it is in use, as it was at one instant (SQLite's online backup). Throws
 * where there is no source, or where the target exists; and the signal's reason once it aborts. Leaves no file then.
 */
export const backupSqlite = async (
  source: string,
  target: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> => {
  assertNodeVersion(process.versions.node);
  const [{ default: Sqlite }, { existsSync }] = await Promise.all([
    import("better-sqlite3"),
    import("node:fs"),
  ]);
  if (existsSync(target)) throw new Error(`${target} exists already`);
  const database = new Sqlite(source, { readonly: true, fileMustExist: true });
  try {
    makePrivateFile(target);
    // An open transaction keeps the instant: without one, whatever others write begins the copy anew, for ever where they are busy.
    database.exec("begin");
    database.prepare("select count(*) from sqlite_schema").get();
    await database.backup(target, {
      progress() {
        signal?.throwIfAborted();
        return pagesAtOnce;
      },
    });
  } catch (error) {
    for (const file of [target, `${target}-journal`]) rmSync(file, { force: true });
    throw error;
  } finally {
    database.close();
  }
};

/** Between two looks at the signal: about half a megabyte. */
const pagesAtOnce = 128;
