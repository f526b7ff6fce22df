import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { StorageUnavailable, StorageUnsuited } from "@posthorn/core/storage";
import type BetterSqlite3 from "better-sqlite3";
import { assertOwnWal } from "../file/assert-own-wal.ts";
import { assertSound } from "../file/assert-sound.ts";
import { explainRefusal } from "../file/explain-refusal.ts";
import { makePrivateFile } from "../file/watch-file.ts";
import type { DatabaseConstructor } from "./take-driver.ts";

type Database = BetterSqlite3.Database;

/** SQLite's own wait blocks the thread (reliability.md, M4): it is kept short, and retried from outside. */
export const busyTimeoutMs = 10;
/** Ms for which opening a file, and migrating it, wait for other processes. */
export const openPatienceMs = 10_000;
/** Above this size, an integrity check at each start would take too long. */
const checkedBytes = 256 * 1024 * 1024;
/** What is kept of a WAL for the next writes, once nobody reads the rest: SQLite writes it back at 4 MiB otherwise. */
const keptWalBytes = 16 * 1024 * 1024;

/** Throws unless commits are durable when they return, and foreign keys are enforced. */
const assertDurable = (database: Database): void => {
  const synchronous = database.pragma("synchronous", { simple: true });
  if (Number(synchronous) < 2) {
    throw new StorageUnsuited(
      `SQLite runs with synchronous=${synchronous}, but needs FULL (2): a power cut would lose mail. Set it after journal_mode, which lowers it`,
    );
  }
  // A host's handle may answer big integers.
  if (Number(database.pragma("foreign_keys", { simple: true })) !== 1) {
    throw new StorageUnsuited(
      "SQLite runs with foreign_keys=OFF, but needs ON: rows would outlive what they belong to. Set it on this handle",
    );
  }
};

/** The file of a connection; empty for one in memory. */
export const fileOf = (database: Database): string =>
  (database.pragma("database_list") as { name: string; file: string }[]).find(({ name }) => name === "main")
    ?.file ?? "";

/** Throws unless our statements are as safe on the host's handle as on our own connection. */
export const assertHostHandle = (database: Database): void => {
  if (typeof (database as Partial<Database> | null)?.pragma !== "function")
    throw new TypeError(
      typeof database === "string"
        ? "database must be a better-sqlite3 handle; give a path as filename"
        : "database must be a better-sqlite3 handle: another driver in this process would not see Posthorn's locks on the file",
    );
  if (!database.open)
    throw new TypeError("database must be an open better-sqlite3 handle: this one is closed");
  if (database.readonly || Number(database.pragma("query_only", { simple: true })) === 1)
    throw new StorageUnsuited("the SQLite handle is read-only, but Posthorn writes");
  if (!database.memory && database.pragma("locking_mode", { simple: true }) === "exclusive")
    throw new StorageUnsuited(
      "SQLite runs with locking_mode=EXCLUSIVE, which keeps Posthorn's own connections out: it needs NORMAL",
    );
  // Of a file just switched to WAL, SQLite lowers `synchronous` at the first read.
  database.pragma("schema_version");
  assertDurable(database);
  const journal = database.pragma("journal_mode", { simple: true });
  if (fileOf(database) !== "" && journal !== "wal") {
    throw new StorageUnsuited(
      `SQLite runs with journal_mode=${journal}, but needs WAL: set it before synchronous, which it lowers`,
    );
  }
};

const configure = (database: Database) => {
  // Before the first write: once a file has pages, `auto_vacuum` can't be enabled to return space to the disk
  // (platform.md P12).
  if (database.pragma("page_count", { simple: true }) === 0) database.pragma("auto_vacuum = INCREMENTAL");
  // In this order: switching to WAL sets synchronous back to NORMAL (reliability.md, M1).
  if (!database.memory) database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  // Deleted content is overwritten if that costs no extra write.
  database.pragma("secure_delete = FAST");
  database.pragma("trusted_schema = OFF");
  database.pragma("temp_store = MEMORY");
  // The driver's default is 16 MB, in each of up to four connections; more than 2 MB saves no CPU.
  database.pragma("cache_size = -2000");
  // A WAL that a long reader let grow would keep its size on the disk until the last process ends.
  database.pragma(`journal_size_limit = ${keptWalBytes}`);
  assertDurable(database);
};

/** Throws if SQLite opened the file for reading alone, as it does without a word: each write would be refused. */
const assertWritable = (database: Database): void => {
  try {
    database.exec("begin immediate");
  } catch (error) {
    // Another process writes, where SQLite asks for no lock of a file that it only reads.
    if (isBusy(error)) return;
    throw error;
  }
  database.exec("pragma user_version = 0; rollback");
};

const sizeOf = (filename: string): Promise<number> =>
  stat(filename).then(
    ({ size }) => size,
    () => 0,
  );

const isCode = (error: unknown, pattern: RegExp) =>
  pattern.test(String((error as { code?: unknown } | undefined)?.code));

/** Whether SQLite reports that another connection holds the file. */
export const isBusy = (error: unknown): boolean => isCode(error, /^SQLITE_BUSY/);

/** The driver's own error for a missing folder does not name the file. */
const named = (error: unknown, filename: string): unknown =>
  /directory does not exist/.test((error as Error).message)
    ? new Error(`${filename} can't be opened: its folder does not exist`, { cause: error })
    : explainRefusal(error, filename);

const openNamed = (Sqlite: DatabaseConstructor, filename: string): Database => {
  try {
    return new Sqlite(filename, { timeout: busyTimeoutMs });
  } catch (error) {
    throw named(error, filename);
  }
};

/** Opens a file for writing, creating it if missing. Throws an error that names what is wrong with the file. */
export const openWriter = async (Sqlite: DatabaseConstructor, filename: string): Promise<Database> => {
  const deadline = performance.now() + openPatienceMs;
  assertOwnWal(filename);
  if (filename !== ":memory:") makePrivateFile(filename);
  for (;;) {
    const database = openNamed(Sqlite, filename);
    try {
      configure(database);
      assertWritable(database);
      if (!database.memory && (await sizeOf(filename)) <= checkedBytes) assertSound(database, filename);
      return database;
    } catch (error) {
      database.close();
      if (isCode(error, /^SQLITE_(CORRUPT|NOTADB)/)) {
        throw new Error(`${filename} is not a valid SQLite file: restore a backup`, { cause: error });
      }
      // Other processes that start at the same moment switch the file to WAL too.
      if (!isBusy(error)) throw named(error, filename);
      if (performance.now() > deadline) {
        throw new StorageUnavailable(`another process holds ${filename}`, { cause: error });
      }
      await delay(busyTimeoutMs + Math.random() * busyTimeoutMs);
    }
  }
};

/** Settings of a read-only connection. */
export const readerPragmas = ["trusted_schema = OFF", "temp_store = MEMORY", "cache_size = -2000"];

/** Opens a second, read-only connection. */
export const openReader = (Sqlite: DatabaseConstructor, filename: string): Database => {
  const database = new Sqlite(filename, { readonly: true, timeout: busyTimeoutMs });
  for (const pragma of readerPragmas) database.pragma(pragma);
  return database;
};
