import { lineOf } from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import { explainIteration } from "./explain-iteration.ts";
import { assertHostHandle, fileOf } from "./open-database.ts";
import { createStatementCache, type StatementCache } from "./statement-cache.ts";
import type { DatabaseConstructor } from "./take-driver.ts";

const isHandle = (handle: unknown): handle is Database => {
  const database = handle as Partial<Database> | null | undefined;
  return typeof database?.prepare === "function" && typeof database.inTransaction === "boolean";
};

/** One of the host's handles. */
export interface HostHandle {
  database: Database;
  /** Our statements on it. */
  statements: StatementCache;
  /** Lets one statement or savepoint of ours in at a time, whoever the caller. */
  enter: ReturnType<typeof lineOf>;
}

/** The host's handles on the storage's database, with our statements. */
export interface HostHandles {
  /** Throws a `TypeError` unless it is a handle on the same database with an open transaction. */
  assert(handle: unknown): HostHandle;
}

/** Checks each handle once, and keeps its statements as long as the handle lives. */
export const createHostHandles = ({
  Sqlite,
  writer,
  file,
}: {
  Sqlite: DatabaseConstructor;
  writer: Database;
  file: string;
}): HostHandles => {
  const known = new WeakMap<Database, HostHandle>();
  const assertSameDatabase = (database: Database) => {
    if (file === "" ? database !== writer : fileOf(database) !== file) {
      const needed = file === "" ? "the handle that the storage was opened with" : `a handle on ${file}`;
      throw new TypeError(`transaction must be ${needed}: this one is another database`);
    }
    if (!(database instanceof Sqlite))
      throw new TypeError(
        "transaction is a handle of another copy of better-sqlite3, which doesn't see the storage's locks on the file: open the storage with a handle of that copy, as `database`",
      );
    assertHostHandle(database);
  };
  const add = (database: Database): HostHandle => {
    try {
      assertSameDatabase(database);
      return { database, statements: createStatementCache(database), enter: lineOf(database) };
    } catch (error) {
      throw explainIteration(error);
    }
  };
  return {
    assert(handle) {
      if (!isHandle(handle))
        throw new TypeError("transaction must be the better-sqlite3 handle whose transaction is open");
      if (!handle.inTransaction)
        throw new TypeError(
          "transaction must be a better-sqlite3 handle with an open transaction: this one has none. Its method transaction() ends before a call does: begin yourself, await each call, then commit",
        );
      const found = known.get(handle);
      if (found) return found;
      const added = add(handle);
      known.set(handle, added);
      return added;
    },
  };
};
