import type { Clock } from "@posthorn/core";
import { type Storage, StorageUnavailable } from "@posthorn/core/storage";
import { createHostTransaction, createSqlStorage, type Database as Tables } from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import { Kysely } from "kysely";
import { assertNodeVersion } from "./assert-node-version.ts";
import { createNews } from "./create-news.ts";
import { createGroupCommit } from "./group-commit.ts";
import { assertDurable, openReader, openWriter } from "./open-database.ts";
import { connectToFile, createConnectionsWithin, type SqliteFile } from "./sqlite-connections.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { sqliteEngine } from "./sqlite-engine.ts";
import { createStatementCache } from "./statement-cache.ts";
import { watchFile } from "./watch-file.ts";

/** Where the SQLite database is; one of `filename` and `database` is needed. */
export interface SqliteStorageOptions {
  /** A path, made where there is none, or `":memory:"`. */
  filename?: string;
  /** The host's own better-sqlite3 handle instead, never closed by the storage. It needs `foreign_keys=ON` and `synchronous=FULL`. */
  database?: Database;
  /** The machine's clock by default. */
  clock?: Clock;
  /** Hears once that the disk failed to keep a commit: nothing works from then on, and the process should end (reliability.md, M6). */
  onFatal?: (error: unknown) => void;
}

/** Ms between two looks whether the host has ended its transaction, which SQLite tells nobody. */
const lookMs = 5;

const whenEnded = (database: Database, tell: () => void): void => {
  const look = (): void => {
    if (database.open && database.inTransaction) setTimeout(look, lookMs).unref();
    else tell();
  };
  setImmediate(look);
};

/** Remembers that the disk failed, after which nothing can be promised. */
const createGuard = (onFatal: ((error: unknown) => void) | undefined) => {
  let fatal: unknown;
  return {
    onError(error: unknown) {
      const code = String((error as { code?: unknown } | undefined)?.code);
      if (fatal !== undefined || !/^SQLITE_IOERR_(DIR_)?FSYNC/.test(code)) return;
      fatal = error;
      onFatal?.(error);
    },
    assertUsable() {
      if (fatal !== undefined)
        throw new StorageUnavailable("the disk failed to keep a commit", { cause: fatal });
    },
  };
};

const open = async ({ filename, database }: SqliteStorageOptions) => {
  if (database) {
    assertDurable(database);
    return { writer: database, reader: undefined, watch: undefined, close: () => {} };
  }
  if (filename === undefined) throw new TypeError("createSqliteStorage needs a filename or a database");
  const { default: Sqlite } = await import("better-sqlite3");
  const writer = await openWriter(Sqlite, filename);
  const reader = writer.memory ? undefined : openReader(Sqlite, filename);
  const watch = writer.memory ? undefined : await watchFile(filename);
  const close = () => {
    reader?.close();
    writer.close();
  };
  return { writer, reader, watch, close };
};

/**
 * Opens Posthorn's storage in one SQLite file. Call `migrate()` before anything else. A handle for `within` is the
 * better-sqlite3 `Database` whose transaction is open. Throws where the file is damaged, held, or not durable.
 */
export const createSqliteStorage = async (options: SqliteStorageOptions): Promise<Storage> => {
  assertNodeVersion(process.versions.node);
  const { writer, reader, watch, close } = await open(options);
  const guard = createGuard(options.onFatal);
  const file: SqliteFile = {
    ...guard,
    writer: { database: writer, statements: createStatementCache(writer) },
    reader: reader && createStatementCache(reader),
    commits: createGroupCommit({ ...guard, database: writer }),
  };
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(() => connectToFile(file)) });
  const news = createNews(() => Number(writer.pragma("data_version", { simple: true })));
  const withinCaches = new WeakMap<Database, ReturnType<typeof createStatementCache>>();
  let closed: Promise<void> | undefined;

  const storage = createSqlStorage({
    db,
    engine: sqliteEngine,
    clock: options.clock ?? { now: () => Date.now() },
    within(handle) {
      const database = handle as Database;
      if (!database?.inTransaction)
        throw new TypeError("within needs a better-sqlite3 handle with an open transaction");
      const statements = withinCaches.get(database) ?? createStatementCache(database);
      withinCaches.set(database, statements);
      const connect = createConnectionsWithin(database, statements, guard);
      const joined = new Kysely<Tables>({ dialect: createSqliteDialect(connect) });
      return createHostTransaction(joined, sqliteEngine, async (_, topics) =>
        whenEnded(database, () => news.notify(topics)),
      );
    },
    notify: async (topics) => news.notify(topics),
    subscribe: news.subscribe,
    close: () =>
      (closed ??= (async () => {
        news.close();
        await file.commits.close();
        await db.destroy();
        close();
      })()),
  });
  return {
    ...storage,
    async ping() {
      await watch?.assertSame();
      await storage.ping();
    },
  };
};
