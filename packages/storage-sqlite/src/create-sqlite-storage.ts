import { setImmediate } from "node:timers";
import { type Storage, StorageUnavailable } from "@posthorn/core/storage";
import {
  assertNodeVersion,
  createHandleOn,
  createHostTransaction,
  createSqlStorage,
  type DriverConnection,
  type Handle,
  rootHandle,
  type Database as Tables,
  tableNames,
} from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import { Kysely } from "kysely";
import { createHostHandles } from "./connections/create-host-handles.ts";
import { createPause } from "./connections/create-pause.ts";
import {
  assertHostHandle,
  fileOf,
  openReader,
  openWriter,
  readerPragmas,
} from "./connections/open-database.ts";
import { createPacedReads } from "./connections/paced-reads.ts";
import { createReadThread } from "./connections/read-thread.ts";
import {
  createConnectionsWithin,
  createExecute,
  createTransaction,
  type SqliteFile,
} from "./connections/sqlite-connections.ts";
import { createStatementCache } from "./connections/statement-cache.ts";
import { type Driver, driverOf, takeDriver } from "./connections/take-driver.ts";
import { createNotifier } from "./create-notifier.ts";
import { createSqliteDialect, noTransactions } from "./dialect/sqlite-dialect.ts";
import { createSqliteEngine } from "./dialect/sqlite-engine.ts";
import { createGuard } from "./file/guard.ts";
import { noticeCopy } from "./file/notice-copy.ts";
import { type FileWatch, watchContinuously, watchFile } from "./file/watch-file.ts";
import { migratePatiently } from "./migrate-patiently.ts";
import { checkSqliteOptions, type SqliteStorageOptions } from "./sqlite-storage-options.ts";
import { createGroupCommit } from "./writing/group-commit.ts";
import { createReclaim } from "./writing/reclaim.ts";
import { createWriteBack } from "./writing/write-back.ts";
import { createWriteTurns } from "./writing/write-turns.ts";

/** Ms between two checks whether the host's transaction has ended, as SQLite sends no notification of that. */
const lookMs = 5;

const whenEnded = (database: Database, tell: () => void): void => {
  const look = (): void => {
    if (database.open && database.inTransaction) setTimeout(look, lookMs).unref();
    else tell();
  };
  setImmediate(look);
};

const sizeOf = (database: Database): number =>
  Number(database.pragma("page_count", { simple: true })) *
  Number(database.pragma("page_size", { simple: true }));

const assertPrefix = (prefix: string): string => {
  if (/^([a-z_][a-z0-9_]{0,39})?$/i.test(prefix) && !/^sqlite_/i.test(prefix)) return prefix;
  throw new TypeError(
    `tablePrefix must be letters, digits and "_", such as "posthorn_", not ${JSON.stringify(prefix)}`,
  );
};

/** A storage's connections, all of one driver, and the file they are open on. */
interface Opened extends Driver {
  writer: Database;
  /** Only for a file. */
  reader: Database | undefined;
  /** Detects that commits to the file would be lost. Only for a file. */
  watch: FileWatch | undefined;
  /** Empty for a database in memory. */
  file: string;
  close(): void;
}

const open = async ({ filename = "", database }: SqliteStorageOptions): Promise<Opened> => {
  if (database !== undefined) assertHostHandle(database);
  const path = database ? fileOf(database) : filename;
  if (database && path === "") {
    const inMemory = { reader: undefined, watch: undefined, file: "", close: () => {} };
    return { ...(await driverOf(database)), writer: database, ...inMemory };
  }
  const { leave, ...driver } = await takeDriver(path, database);
  const opened: Database[] = [];
  const close = () => {
    for (const connection of opened.reverse()) connection.close();
    leave();
  };
  try {
    const writer = await openWriter(driver.Sqlite, path);
    opened.push(writer);
    const reader = writer.memory ? undefined : openReader(driver.Sqlite, path);
    if (reader) opened.push(reader);
    const file = fileOf(writer);
    const watch = writer.memory ? undefined : await watchFile(path, file);
    return { ...driver, writer, reader, watch, file, close };
  } catch (error) {
    close();
    throw error;
  }
};

/** The threads that work on a file, if they can use its driver. */
const createThreads = ({ writer, reader, file, isOwnDriver }: Opened) =>
  reader && isOwnDriver
    ? { reads: createReadThread(file, readerPragmas), writeBack: createWriteBack(writer, file) }
    : undefined;

/**
 * A host's transaction for the SQLite storage: the better-sqlite3 handle, on the same file, on which it was begun. An
 * interface, because declarations of a host that exports its service can't name the type of better-sqlite3 itself.
 */
export interface SqliteTransaction extends Database {}

/**
 * Opens Posthorn's storage in one SQLite file. Call `migrate()` before anything else. A handle for `within` is a
 * better-sqlite3 `Database` on the same file with an open transaction. Throws if the file is damaged, locked, or not
 * durable.
 */
export const createSqliteStorage = async (
  options: SqliteStorageOptions,
): Promise<Storage<SqliteTransaction>> => {
  assertNodeVersion("SQLite");
  checkSqliteOptions(options);
  const prefix = assertPrefix(options.tablePrefix ?? "posthorn_");
  const writeTurns = createWriteTurns(options.writeTurns);
  const { readThreadFrom = 32 * 1024 * 1024 } = options;
  const opened = await open(options);
  const { writer, reader, watch } = opened;
  const guard = createGuard(opened.file, options.onFatal);
  let isHostHere = false;
  /**
   * Host and storage share this thread and can't wait for each other, so neither may hold the lock across turns of the
   * event loop.
   */
  const welcomeHost = () => {
    if (isHostHere) return;
    isHostHere = true;
    if (writer !== options.database) writer.pragma("busy_timeout = 0");
  };
  if (options.database) welcomeHost();
  const engine = createSqliteEngine(
    prefix,
    createPause(() => !isHostHere),
  );
  const names = new Map([...tableNames()].map((name) => [name, `${prefix}${name}`]));
  const connectWith = (connect: () => DriverConnection) =>
    new Kysely<Tables>({ dialect: createSqliteDialect(connect, names) });
  const threads = createThreads(opened);
  const onCommit = threads?.writeBack.committed;
  const file: SqliteFile = {
    ...guard,
    engine,
    writer: { database: writer, statements: createStatementCache(writer) },
    reader: reader && createStatementCache(reader),
    longReads: threads && { read: threads.reads.read, isWorthIt: () => sizeOf(writer) >= readThreadFrom },
    pacedReads: createPacedReads(),
    commits: createGroupCommit({ ...guard, database: writer, host: options.database, writeTurns, onCommit }),
  };
  const executeQuery = createExecute(file);
  const dialect = createSqliteDialect(() => ({ ...noTransactions, executeQuery }), names);
  const db: Handle = new Kysely<Tables>({ dialect });
  const transaction = createTransaction(file, createHandleOn(db, dialect));
  const notifier = createNotifier({
    dataVersion: () => Number(writer.pragma("data_version", { simple: true })),
    place: opened.file === "" ? "" : `${prefix} ${opened.file}`,
    memory: options.writeTurns,
  });
  const handles = createHostHandles(opened);
  const watching = watch && watchContinuously(watch, guard.fail);
  let closed: Promise<void> | undefined;

  const storage = createSqlStorage({
    db: rootHandle(db, { executeQuery, transaction }),
    engine,
    clock: options.clock ?? { now: () => Date.now() },
    within(handle) {
      const host = handles.assert(handle);
      welcomeHost();
      const joined = connectWith(createConnectionsWithin(host, file));
      return createHostTransaction(joined, engine, async (_, topics) =>
        whenEnded(host.database, () => notifier.notify(topics)),
      );
    },
    notify: async (topics) => notifier.notify(topics),
    subscribe: notifier.subscribe,
    reclaim: createReclaim({ ...file, writeBack: threads?.writeBack }),
    close: () =>
      (closed ??= (async () => {
        notifier.close();
        watching?.close();
        await threads?.reads.close();
        await file.commits.close();
        await threads?.writeBack.close();
        guard.close();
        opened.close();
      })()),
  });
  return {
    ...storage,
    assertSound: guard.assertUndamaged,
    async migrate() {
      const ran = await migratePatiently(storage.migrate);
      if (opened.file !== "") await noticeCopy(storage, opened.file);
      return ran;
    },
    async ping() {
      guard.assertUsable();
      guard.assertUndamaged();
      await watch?.assertSame().catch((cause: Error) => {
        throw new StorageUnavailable(cause.message, { cause });
      });
      await storage.ping();
    },
  };
};
