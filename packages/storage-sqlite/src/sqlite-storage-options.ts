import {
  type Clock,
  checkOptions,
  clockCheck,
  functionCheck,
  isText,
  type OptionChecks,
  textCheck,
} from "@posthorn/core/storage";
import type { Database } from "better-sqlite3";

/** Options of the SQLite storage; one of `filename` and `database` is required. */
export interface SqliteStorageOptions {
  /** A path, created if missing, or `":memory:"`. */
  filename?: string | undefined;
  /**
   * The host's own better-sqlite3 handle instead, which the storage never closes; it needs `journal_mode=WAL`,
   * `synchronous=FULL` and `foreign_keys=ON`. The storage opens its own connections to the handle's file, and uses the
   * handle only for `within`. A database in memory has no file, so the handle is shared: calls outside the host's
   * transaction wait until that has ended, at most 2 s.
   */
  database?: Database | undefined;
  /** Prefix of the names of tables and indexes, which keeps them apart from others'; default `"posthorn_"`. */
  tablePrefix?: string | undefined;
  /**
   * 64 bytes of shared memory by which all storages on one file, each in its own thread of the process, take turns at
   * writing: no thread is blocked while another writes. Without it they wait for SQLite's lock, as processes do. By it
   * they also notify each other; if it has only the four bytes that turns need, by a `BroadcastChannel`, for which Node loads
   * more in each thread.
   */
  writeTurns?: SharedArrayBuffer | undefined;
  /**
   * File size in bytes from which lists and counts run in a separate thread, so that a long one blocks nothing else;
   * default 32 MiB. 0: always; `Infinity`: never. A database in memory is always read in place.
   */
  readThreadFrom?: number | undefined;
  /** The clock for the times of migrations. Default: the machine's. What is due is decided by the database's own. */
  clock?: Clock | undefined;
  /**
   * Called once if the disk failed to store a commit (reliability.md, M6), if the file was removed or replaced, or if
   * another copy of SQLite in this process has it open: nothing works from then on, and the process should end.
   */
  onFatal?: ((error: unknown) => void) | undefined;
}

const checks: OptionChecks<SqliteStorageOptions> = {
  filename: ['a path or ":memory:"', isText],
  database: true,
  tablePrefix: textCheck,
  // An instance may be of another realm, such as Jest's.
  writeTurns: [
    "a SharedArrayBuffer",
    (value) => Object.prototype.toString.call(value) === "[object SharedArrayBuffer]",
  ],
  readThreadFrom: ["a number of bytes, 0 or more", (value) => typeof value === "number" && value >= 0],
  clock: clockCheck,
  onFatal: functionCheck,
};

/** Throws a `TypeError` that names the option and the fault. */
export const checkSqliteOptions = (options: SqliteStorageOptions): void => {
  checkOptions("createSqliteStorage", options, checks);
  const { filename, database } = options;
  if ((database as unknown) === null)
    throw new TypeError("database must be a better-sqlite3 handle, not null; give a path as filename");
  if (filename === undefined && database === undefined)
    throw new TypeError("createSqliteStorage needs a filename or a database");
  const scheme = /^(sqlite3?|libsql|file|postgres(ql)?):/i.exec(filename ?? "")?.[0];
  if (scheme !== undefined)
    throw new TypeError(`filename must be a path or ":memory:", not a URL that begins with ${scheme}`);
  if (filename !== undefined && database !== undefined)
    throw new TypeError(
      "createSqliteStorage takes a filename or a database, not both: a handle's file is its own",
    );
};
