import { StorageUnavailable } from "@posthorn/core/storage";
import { type Engine, portError } from "@posthorn/storage-sql";
import type { Database } from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";
import type { HostHandle } from "./create-host-handles.ts";
import type { GroupCommit } from "./group-commit.ts";
import { noStream, type SqliteConnection } from "./sqlite-dialect.ts";
import type { StatementCache } from "./statement-cache.ts";

/** A storage's connections and what guards them. */
export interface SqliteFile {
  writer: { database: Database; statements: StatementCache };
  /** Its own connection where there is a file: reads then neither wait for nor see an open transaction. */
  reader: StatementCache | undefined;
  commits: GroupCommit;
  engine: Engine;
  onError(error: unknown): void;
  assertUsable(): void;
}

/** Runs it, with errors as the port promises them. */
const guarded = async <T>(
  file: Pick<SqliteFile, "onError" | "engine">,
  run: () => T | Promise<T>,
): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    file.onError(error);
    throw portError(file.engine, error);
  }
};

/** A transaction's place in the group: `begun` when it may go on, `ended` settles it, `committed` when it is on disk. */
const takeTurn = async (commits: GroupCommit) => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const committed = commits.enqueue(() => {
    begun.resolve();
    return ended.promise;
  });
  // Whoever waits for the commit hears of its failure; who rolls back needn't.
  committed.catch(() => {});
  await Promise.race([begun.promise, committed]);
  return { end: ended, committed };
};

/**
 * A connection of the root handle. Within a transaction it writes and reads on the writer, in its turn; outside, a statement
 * that only reads goes to the reader, and any other is a transaction of its own.
 */
export const connectToFile = (file: SqliteFile): SqliteConnection => {
  const { writer, reader, commits } = file;
  let turn: Awaited<ReturnType<typeof takeTurn>> | undefined;

  const execute = <R>({ sql, parameters }: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> => {
    file.assertUsable();
    const write = () => writer.statements.run<R>(sql, parameters);
    if (turn) {
      // Otherwise the rest of the transaction would be committed statement by statement.
      if (!writer.database.inTransaction) throw new StorageUnavailable("SQLite rolled the transaction back");
      return write();
    }
    const isRead = writer.statements.get(sql).readonly;
    if (!isRead) return commits.enqueue(write);
    if (reader === undefined) return commits.between(write);
    // Who writes by another connection makes the reader forget every page that it has: the one that wrote knows them all.
    return writer.database.inTransaction ? reader.run<R>(sql, parameters) : write();
  };

  return {
    executeQuery: (query) => guarded(file, () => execute(query)),
    streamQuery: noStream,
    begin: () =>
      guarded(file, async () => {
        file.assertUsable();
        turn = await takeTurn(commits);
      }),
    commit: () =>
      guarded(file, async () => {
        turn?.end.resolve();
        await turn?.committed;
        turn = undefined;
      }),
    rollback: async () => {
      turn?.end.reject(new Error("rolled back"));
      await turn?.committed.catch(() => {});
      turn = undefined;
    },
  };
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
