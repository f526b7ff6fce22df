import { StorageUnavailable } from "@posthorn/core/storage";
import { type Engine, portError } from "@posthorn/storage-sql";
import type { CompiledQuery } from "kysely";
import type { Pool, PoolClient } from "pg";
import { noStream, type PostgresConnection } from "./postgres-dialect.ts";
import { endsConnection } from "./postgres-errors.ts";
import { runQuery, runText } from "./run-query.ts";
import type { Timeouts } from "./timeouts.ts";
import { createTurnstile } from "./turnstile.ts";

/** Where connections come from, and how long anything may take on them. */
export interface ConnectionSource {
  pool: Pool;
  engine: Engine;
  timeouts: Timeouts;
}

/** Takes a client out of the pool. A host's pool may wait without end: what comes too late goes back at once. */
export const checkOut = async ({ pool, timeouts }: ConnectionSource): Promise<PoolClient> => {
  let late = false;
  const coming = pool.connect().then((client) => {
    if (late) client.release();
    return client;
  });
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  // The pool's own time-out comes first, where it has one.
  const timer = setTimeout(() => {
    late = true;
    reject(new StorageUnavailable("no connection to PostgreSQL came free in time"));
  }, timeouts.connect + 100);
  try {
    return await Promise.race([coming, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Set for one transaction only: a pooler gives the server process to others after it. The isolation level is named, as a database may
 * have another default, and reading again after a lock relies on this one.
 */
const beginText = ({ statement, lock, idleInTransaction }: Timeouts): string =>
  [
    "begin isolation level read committed",
    `set local statement_timeout = ${statement}`,
    `set local lock_timeout = ${lock}`,
    `set local idle_in_transaction_session_timeout = ${idleInTransaction}`,
  ].join("; ");

/** A connection of the pool until its release. A client whose state is in doubt never goes back to the pool. */
export const connectFromPool = async (source: ConnectionSource): Promise<PostgresConnection> => {
  const { engine, timeouts } = source;
  const client = await checkOut(source).catch((error: unknown) => {
    throw portError(engine, error);
  });
  let broken = false;
  const onError = () => {
    broken = true;
  };
  // Without a listener, a connection lost between two statements would end the process.
  client.on("error", onError);
  const enter = createTurnstile();

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await enter();
    try {
      if (broken) throw new StorageUnavailable("the connection to PostgreSQL is lost");
      return await work();
    } catch (error) {
      if (endsConnection(error)) broken = true;
      throw portError(engine, error);
    } finally {
      leave();
    }
  };

  return {
    executeQuery: <R>(query: CompiledQuery) => guarded(() => runQuery<R>(client, query, timeouts.query)),
    streamQuery: noStream,
    begin: () =>
      guarded(async () => {
        await runText(client, beginText(timeouts), timeouts.query);
      }),
    commit: () =>
      guarded(async () => {
        const command = await runText(client, "commit", timeouts.query);
        if (command !== "COMMIT")
          throw new Error("the transaction was ended by an error that was passed over");
      }),
    async rollback() {
      try {
        await guarded(() => runText(client, "rollback", timeouts.query));
      } catch {
        broken = true;
      }
    },
    release() {
      client.off("error", onError);
      client.release(broken);
    },
  };
};
