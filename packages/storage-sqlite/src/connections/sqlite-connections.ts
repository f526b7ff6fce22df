import { type Holder, StorageUnavailable } from "@posthorn/core/storage";
import {
  type DriverConnection,
  type Engine,
  type Handle,
  longReadHolder,
  noStream,
  portError,
} from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { GroupCommit } from "../writing/group-commit.ts";
import type { HostHandle } from "./create-host-handles.ts";
import { endIfIdle } from "./end-if-idle.ts";
import { explainIteration, isIteratedOver } from "./explain-iteration.ts";
import type { PacedReads } from "./paced-reads.ts";
import type { ReadThread } from "./read-thread.ts";
import { bound, type StatementCache } from "./statement-cache.ts";

/** The thread for long reads, and whether the file is large enough for it. */
interface LongReads extends Pick<ReadThread, "read"> {
  isWorthIt(): boolean;
}

/** A storage's connections and their guards. */
export interface SqliteFile {
  writer: { database: Database; statements: StatementCache };
  /** For a file, a connection of its own: reads neither wait for nor see an open transaction. */
  reader: StatementCache | undefined;
  /** Runs long reads in a separate thread; absent without a file. */
  longReads: LongReads | undefined;
  /** Runs those of a smaller file, or without one, on this thread. */
  pacedReads: PacedReads;
  commits: GroupCommit;
  engine: Engine;
  onError(error: unknown): void;
  /** The port's error for one that tells of a damaged file. */
  damageOf(error: unknown): StorageUnavailable | undefined;
  assertUsable(): void;
}

/** What converts a file's errors. */
type Faults = Pick<SqliteFile, "onError" | "damageOf" | "engine">;

/** Converts an error to the one the port promises. */
const portErrorOf = (file: Faults, error: unknown): unknown => {
  file.onError(error);
  return file.damageOf(error) ?? portError(file.engine, explainIteration(error));
};

/** Runs it, and converts errors to those the port promises. */
const guarded = async <T>(file: Faults, run: () => T | Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw portErrorOf(file, error);
  }
};

/** Runs a statement outside a transaction: a read at once, any other in a transaction of its own. */
export const createExecute = (file: SqliteFile): DriverConnection["executeQuery"] => {
  const { writer, reader, longReads, commits } = file;
  const run = <R>({ sql, parameters }: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> => {
    file.assertUsable();
    const write = () => writer.statements.run<R>(sql, parameters);
    const isRead = writer.statements.get(sql).readonly;
    if (!isRead) return commits.enqueue(write);
    if (reader === undefined) return commits.between(write);
    // A write by another connection invalidates the reader's page cache; the writer's own cache stays valid.
    return writer.database.inTransaction ? reader.run<R>(sql, parameters) : write();
  };
  const readLong = async <R>(query: CompiledQuery, holder: Holder): Promise<QueryResult<R>> => {
    file.assertUsable();
    const rows = longReads?.isWorthIt()
      ? await longReads.read<R>(query.sql, query.parameters.map(bound), holder)
      : undefined;
    return rows === undefined ? file.pacedReads(() => run<R>(query), holder) : { rows };
  };
  return <R>(query: CompiledQuery) =>
    guarded<QueryResult<R>>(file, () => {
      const holder = longReadHolder(query);
      return holder === undefined ? run(query) : readLong(query, holder);
    });
};

/** A connection's statements within one transaction of the group. */
interface Turn {
  connection: Pick<DriverConnection, "executeQuery" | "streamQuery">;
  /** Refuses further statements: late ones would end up in the next transaction. */
  close(): void;
  open(): void;
  /** Number of its statements. */
  statementsSoFar(): number;
}

const createTurn = (file: SqliteFile): Turn => {
  const { writer } = file;
  let isOpen = false;
  /** SQLite rolls back by itself only when a statement fails; on a handle in memory, the host can, too. */
  let mayHaveEnded = true;
  let count = 0;
  return {
    statementsSoFar: () => count,
    open() {
      isOpen = true;
      mayHaveEnded = file.reader === undefined;
    },
    close() {
      isOpen = false;
    },
    connection: {
      // Without an extra await: each e-mail takes a dozen statements.
      executeQuery<R>({ sql, parameters }: CompiledQuery) {
        count += 1;
        try {
          file.assertUsable();
          if (!isOpen) throw new Error("the transaction has ended");
          // Otherwise the rest of the transaction would be committed statement by statement.
          if (mayHaveEnded && !writer.database.inTransaction)
            throw new StorageUnavailable("SQLite rolled the transaction back");
          return Promise.resolve(writer.statements.run<R>(sql, parameters));
        } catch (error) {
          mayHaveEnded = true;
          return Promise.reject(portErrorOf(file, error));
        }
      },
      streamQuery: noStream,
    },
  };
};

/** Runs work as a transaction, on a handle that `createHandleOn` makes of a connection. */
export const createTransaction = (file: SqliteFile, handleOf: (connection: DatabaseConnection) => Handle) => {
  const make = () => {
    const turn = createTurn(file);
    return { turn, handle: handleOf(turn.connection) };
  };
  /** The last transaction's handle, reused: only one runs at a time. */
  let spare: ReturnType<typeof make> | undefined;
  return <T>(work: (db: Handle) => Promise<T>): Promise<T> =>
    guarded(file, () =>
      file.commits.enqueue(async () => {
        const { turn, handle } = spare ?? make();
        spare = undefined;
        turn.open();
        try {
          const result = await endIfIdle(work(handle), turn.statementsSoFar);
          spare = { turn, handle };
          return result;
        } finally {
          // After a failure, statements may still come that nobody awaits: that handle is not reused.
          turn.close();
        }
      }),
    );
};

/** Whether SQLite refuses to write because the transaction has read what is no longer current. */
const isStale = (error: unknown): boolean => (error as { code?: unknown }).code === "SQLITE_BUSY_SNAPSHOT";

const staleReason =
  "the host's transaction read before another commit, so that it can't write: begin it with `begin immediate`, or write before reading";

/**
 * Runs it also while the host iterates over a statement of the handle, which the driver refuses but SQLite allows:
 * otherwise what a refused call had begun would stay, and be committed by the host.
 */
const execAnyway = (database: Database, text: string): void => {
  try {
    database.exec(text);
  } catch (error) {
    if (!isIteratedOver(error)) throw error;
    database.unsafeMode(true);
    try {
      database.exec(text);
    } finally {
      database.unsafeMode(false);
    }
  }
};

/**
 * Connections inside a transaction that the host begins and ends: statements go directly to the host's handle, and a
 * transaction of ours is a savepoint that no other statement of ours enters.
 */
export const createConnectionsWithin = (
  { database, statements, enter }: HostHandle,
  file: Faults & Pick<SqliteFile, "assertUsable">,
): (() => DriverConnection) => {
  return () => {
    let leave: (() => void) | undefined;
    // What a removed file took would be lost, together with the host's rows; a rollback is always possible.
    const assertOpen = () => {
      file.assertUsable();
      if (!database.inTransaction)
        throw new Error("the host's transaction has ended: await each call before that");
    };
    const end = (...texts: string[]) =>
      guarded(file, () => {
        try {
          for (const text of texts) execAnyway(database, text);
        } finally {
          leave?.();
          leave = undefined;
        }
      });
    return {
      executeQuery: <R>(query: CompiledQuery) =>
        guarded(file, async () => {
          const leaveAfter = leave ? undefined : await enter();
          try {
            assertOpen();
            return statements.run<R>(query.sql, query.parameters);
          } catch (error) {
            throw isStale(error) ? new StorageUnavailable(staleReason, { cause: error }) : error;
          } finally {
            leaveAfter?.();
          }
        }),
      streamQuery: noStream,
      begin: () =>
        guarded(file, async () => {
          leave = await enter();
          try {
            // Outside a transaction, a savepoint would begin one of its own.
            assertOpen();
            database.exec("savepoint posthorn");
          } catch (error) {
            leave();
            leave = undefined;
            throw error;
          }
        }),
      commit: () => end("release posthorn"),
      rollback: () => end("rollback to posthorn", "release posthorn"),
    };
  };
};
