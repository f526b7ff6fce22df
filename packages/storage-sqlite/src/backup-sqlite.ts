import { existsSync, rmSync } from "node:fs";
import { everyRoute, isText, restoredCopyFact, restoredReason, skippedIds } from "@posthorn/core/storage";
import { assertNodeVersion } from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import { type DatabaseConstructor, takeDriver } from "./connections/take-driver.ts";
import { assertOwnWal } from "./file/assert-own-wal.ts";
import { assertSound } from "./file/assert-sound.ts";
import { explainRefusal } from "./file/explain-refusal.ts";
import { makePrivateFile } from "./file/watch-file.ts";

/** How a database is backed up. */
export interface BackupOptions {
  /** Ends the backup once it aborts. */
  signal?: AbortSignal;
  /**
   * Whether the copy is read once more, to throw if the database is damaged. This holds the thread, for some seconds of a
   * file of gigabytes: a process that serves leaves it out (default: false).
   */
  check?: boolean;
}

/**
 * Copies a database that may be in use to a new file, accessible only to its owner, as it was at one instant (SQLite's
 * online backup). The copy is not in WAL mode, so that an opening finds a WAL that is another's (`assertOwnWal`). It is
 * marked as a copy, and delivers nothing before `queue.resume`, because its waiting e-mails may have been sent since.
 * Throws if the source is missing or has no tables of Posthorn, or the target exists; and the signal's reason once it
 * aborts. It then leaves no file.
 */
export const backupSqlite = async (
  source: string,
  target: string,
  options: BackupOptions = {},
): Promise<void> => {
  assertNodeVersion("SQLite");
  if (!isText(source) || !isText(target))
    throw new TypeError("backupSqlite takes the names of two files: the database, and the copy to make");
  if (!existsSync(source)) throw new Error(`${source} does not exist`);
  const { Sqlite, leave } = await takeDriver(source);
  try {
    await copyFile(Sqlite, { source, target, ...options });
  } finally {
    leave();
  }
};

type Backup = BackupOptions & { source: string; target: string };

async function copyFile(Sqlite: DatabaseConstructor, backup: Backup): Promise<void> {
  const { source, target } = backup;
  assertOwnWal(source);
  const database = new Sqlite(source, { readonly: true, fileMustExist: true });
  try {
    beginReading(database, source);
    // Another backup to the same file may have begun meanwhile: it would lose the file if this one removed it.
    if (!makePrivateFile(target)) throw new Error(`${target} exists already`);
    await fillFile(Sqlite, database, backup);
  } finally {
    database.close();
  }
}

/** Copies what the connection reads to a new file, and removes the file if that fails. */
async function fillFile(
  Sqlite: DatabaseConstructor,
  database: Database,
  { source, target, signal, check }: Backup,
): Promise<void> {
  try {
    await database.backup(target, {
      progress() {
        signal?.throwIfAborted();
        return pagesAtOnce;
      },
    });
    const copy = new Sqlite(target);
    try {
      if (check) assertSound(copy, source);
      markCopy(copy, new Date());
      copy.pragma("journal_mode = DELETE");
    } finally {
      copy.close();
    }
  } catch (error) {
    for (const file of [target, `${target}-journal`]) rmSync(file, { force: true });
    throw explainRefusal(error, target);
  }
}

/**
 * Begins a transaction, which fixes the snapshot: without one, each write by others restarts the copy, endlessly on a
 * busy database. Throws if the file has no tables of Posthorn: it is another file than its operator believes.
 */
function beginReading(database: Database, source: string): void {
  try {
    database.exec("begin");
    if (listHolds(database).length > 0) return;
  } catch (error) {
    throw explainRefusal(error, source);
  }
  throw new Error(`${source} has no tables of Posthorn`);
}

/** The table of holds of each service with tables in the file: its name's beginning is theirs. */
const listHolds = (database: Database): string[] =>
  database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name like '%parked\\_routes' escape '\\'",
    )
    .pluck()
    .all() as string[];

/**
 * Marks a copy and holds all delivery there until it is resumed (platform.md P4), for each service with tables in it.
 */
function markCopy(copy: Database, now: Date): void {
  const at = now.toISOString();
  for (const table of listHolds(copy)) {
    const prefix = table.slice(0, -"parked_routes".length);
    copy.transaction(() => {
      copy
        .prepare(`insert or replace into "${prefix}facts" (name, value) values (?, ?)`)
        .run(restoredCopyFact, at);
      copy
        .prepare(
          `insert or replace into "${table}" (route, owner, parked_at, parked_until, reason) values (?, 'operator', ?, null, ?)`,
        )
        .run(everyRoute, now.getTime(), restoredReason(at));
      for (const [name, count] of Object.entries(skippedIds)) skipIds(copy, prefix + name, count);
      // The original's workers are none of the copy's.
      copy.prepare(`delete from "${prefix}workers"`).run();
    })();
  }
}

/** Makes a table never assign its next ids. SQLite's row of its last id does not exist before the first. */
function skipIds(copy: Database, table: string, count: number): void {
  const changed = copy.prepare("update sqlite_sequence set seq = seq + ? where name = ?").run(count, table);
  if (changed.changes === 0)
    copy.prepare("insert into sqlite_sequence (name, seq) values (?, ?)").run(table, count);
}

/** Pages copied between two checks of the signal: about half a megabyte. */
const pagesAtOnce = 128;
