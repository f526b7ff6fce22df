import { StorageUnavailable } from "@posthorn/core/storage";
import { type Engine, type Handle, isLongRead, portError } from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { HostHandle } from "./create-host-handles.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { ReadThread } from "./read-thread.ts";
import { noStream, type SqliteConnection } from "./sqlite-dialect.ts";
import { bound, type StatementCache } from "./statement-cache.ts";

/** A thread for long reads, and whether the file is large enough for one. */
interface LongReads extends Pick<ReadThread, "read"> {
  isWorthIt(): boolean;
}

/** A storage's connections and what guards them. */
export interface SqliteFile {
  writer: { database: Database; statements: StatementCache };
  /** Its own connection where there is a file: reads then neither wait for nor see an open transaction. */
  reader: StatementCache | undefined;
  /** Reads that may be long, in a thread of their own; absent where there is no file. */
  longReads: LongReads | undefined;
  commits: GroupCommit;
  engine: Engine;
  onError(error: unknown): void;
  assertUsable(): void;
}

/** An error as the port promises it. */
const portErrorOf = (file: Pick<SqliteFile, "onError" | "engine">, error: unknown): unknown => {
  file.onError(error);
  return portError(file.engine, error);
};

/** Runs it, with errors as the port promises them. */
const guarded = async <T>(
  file: Pick<SqliteFile, "onError" | "engine">,
  run: () => T | Promise<T>,
): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw portErrorOf(file, error);
  }
};

/** Runs a statement that is no part of a transaction: what only reads at once, any other as a transaction of its own. */
export const createExecute = (file: SqliteFile): SqliteConnection["executeQuery"] => {
  const { writer, reader, longReads, commits } = file;
  const run = <R>({ sql, parameters }: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> => {
    file.assertUsable();
    const write = () => writer.statements.run<R>(sql, parameters);
    const isRead = writer.statements.get(sql).readonly;
    if (!isRead) return commits.enqueue(write);
    if (reader === undefined) return commits.between(write);
    // Who writes by another connection makes the reader forget every page that it has: the one that wrote knows them all.
    return writer.database.inTransaction ? reader.run<R>(sql, parameters) : write();
  };
  const readLong = async <R>(reads: LongReads, query: CompiledQuery): Promise<QueryResult<R>> => {
    file.assertUsable();
    const rows = await reads.read<R>(query.sql, query.parameters.map(bound));
    return rows === undefined ? run(query) : { rows };
  };
  return <R>(query: CompiledQuery) =>
    guarded<QueryResult<R>>(file, () =>
      longReads !== undefined && isLongRead(query) && longReads.isWorthIt()
        ? readLong(longReads, query)
        : run(query),
    );
};

/** A connection's statements within a turn of the group. */
interface Turn {
  connection: Pick<SqliteConnection, "executeQuery" | "streamQuery">;
  /** Lets no more through: what comes late would end up in another's turn. */
  close(): void;
  open(): void;
}

const createTurn = (file: SqliteFile): Turn => {
  const { writer } = file;
  let isOpen = false;
  return {
    open() {
      isOpen = true;
    },
    close() {
      isOpen = false;
    },
    connection: {
      // Without a wait of its own: there are a dozen statements to an e-mail.
      executeQuery<R>({ sql, parameters }: CompiledQuery) {
        try {
          file.assertUsable();
          if (!isOpen) throw new Error("the transaction has ended");
          // Otherwise the rest of the transaction would be committed statement by statement.
          if (!writer.database.inTransaction)
            throw new StorageUnavailable("SQLite rolled the transaction back");
          return Promise.resolve(writer.statements.run<R>(sql, parameters));
        } catch (error) {
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
  /** What the last turn used: one at a time is all there are. */
  let spare: ReturnType<typeof make> | undefined;
  return <T>(work: (db: Handle) => Promise<T>): Promise<T> =>
    guarded(file, () =>
      file.commits.enqueue(async () => {
        const { turn, handle } = spare ?? make();
        spare = undefined;
        turn.open();
        try {
          const result = await work(handle);
          spare = { turn, handle };
          return result;
        } finally {
          // Of what failed, statements may yet come that nobody waits for: that handle is not used again.
          turn.close();
        }
      }),
    );
};

/**
 * Connections inside a transaction that the host opened and ends: every statement goes straight to the host's handle, and a
 * transaction of ours is a savepoint that no other statement of ours enters.
 */
export const createConnectionsWithin = (
  { database, statements, enter }: HostHandle,
  file: Pick<SqliteFile, "onError" | "engine">,
): (() => SqliteConnection) => {
  return () => {
    let leave: (() => void) | undefined;
    const end = (text: string[]) =>
      guarded(file, () => {
        try {
          for (const statement of text) database.exec(statement);
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
            if (!database.inTransaction) throw new Error("the host's transaction has ended");
            return statements.run<R>(query.sql, query.parameters);
          } finally {
            leaveAfter?.();
          }
        }),
      streamQuery: noStream,
      begin: () =>
        guarded(file, async () => {
          leave = await enter();
          database.exec("savepoint posthorn");
        }),
      commit: () => end(["release posthorn"]),
      rollback: () => end(["rollback to posthorn", "release posthorn"]),
    };
  };
};
