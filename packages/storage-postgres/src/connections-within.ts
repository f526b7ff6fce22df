import { type Engine, portError } from "@posthorn/storage-sql";
import type { CompiledQuery } from "kysely";
import type { ClientBase } from "pg";
import { noStream, type PostgresConnection } from "./postgres-dialect.ts";
import { runQuery, runText } from "./run-query.ts";
import { createTurnstile } from "./turnstile.ts";

type Enter = ReturnType<typeof createTurnstile>;

/** One line for each client, however often `within` is called with it. */
const lines = new WeakMap<ClientBase, Enter>();

const assertInTransaction = (client: ClientBase): void => {
  if (client.getTransactionStatus?.() === "I") throw new Error("the host's transaction has ended");
};

/** Throws where there is no open transaction for `within`. */
export const assertWithin = (handle: unknown): ClientBase => {
  const client = handle as ClientBase | undefined;
  if (typeof client?.query !== "function" || client.getTransactionStatus?.() === "I")
    throw new TypeError("within needs a pg client with an open transaction");
  return client;
};

/**
 * Connections inside a transaction that the host opened and ends: every statement goes straight to the host's client, and a
 * transaction of ours is a savepoint that no other statement of ours enters.
 */
export const createConnectionsWithin = (
  client: ClientBase,
  engine: Engine,
  timeoutMs: number,
): (() => PostgresConnection) => {
  const enter = lines.get(client) ?? createTurnstile();
  lines.set(client, enter);

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      assertInTransaction(client);
      return await work();
    } catch (error) {
      throw portError(engine, error);
    }
  };

  return () => {
    let leave: (() => void) | undefined;
    const enterSavepoint = async () => {
      leave = await enter();
      try {
        await guarded(() => runText(client, "savepoint posthorn", timeoutMs));
      } catch (error) {
        leave();
        throw error;
      }
    };
    const end = async (text: string) => {
      try {
        await guarded(() => runText(client, text, timeoutMs));
      } finally {
        leave?.();
        leave = undefined;
      }
    };
    const enterInside = createTurnstile();
    return {
      async executeQuery<R>(query: CompiledQuery) {
        const leaveAfter = await (leave ? enterInside() : enter());
        try {
          return await guarded(() => runQuery<R>(client, query, { timeoutMs }));
        } finally {
          leaveAfter();
        }
      },
      streamQuery: noStream,
      begin: enterSavepoint,
      commit: () => end("release savepoint posthorn"),
      rollback: () => end("rollback to savepoint posthorn; release savepoint posthorn").catch(() => {}),
      release: () => {},
    };
  };
};
