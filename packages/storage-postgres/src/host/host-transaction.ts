import { type CompiledQuery, CompiledQuery as Query, type QueryExecutor, type QueryResult } from "kysely";
import type { ClientBase } from "pg";
import { isReadTimeout } from "../postgres-errors.ts";
import { binaryWords, isBinary } from "../postgres-storage-options.ts";
import { runQuery, runText } from "../statements/run-query.ts";
import { createFence, type Sign } from "./fence.ts";
import { type HostExecutor, isOutside, ofQuery, type TransactionQuery } from "./query-executor.ts";

/**
 * A host's transaction for the PostgreSQL storage: the pg client on which it was begun, a Kysely `Transaction`, or the
 * result of `hostTransaction` for another library's.
 */
export type PostgresTransaction = ClientBase | KyselyTransaction | OpenTransaction;

/** A Kysely `Transaction` over any tables; a plain `Kysely` is not accepted. */
export interface KyselyTransaction {
  /** True; a `Kysely` without a transaction has `false`. */
  readonly isTransaction: true;
  /** Runs a compiled query in it. */
  executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>>;
}

/** Shared by all copies of this package in a process: each bundle of a Next application has its own. */
const made: unique symbol = Symbol.for("@posthorn/storage-postgres transaction");

/** A host's open transaction of a library that the storage does not support by itself. */
export interface OpenTransaction {
  readonly [made]: HostExecutor;
}

/**
 * Wraps an open transaction of any library to pass as `transaction`, given a function that runs a statement in it.
 * Create it when the transaction begins and use the same one until it ends: concurrent calls take turns on it, and
 * calls after the end are refused.
 *
 * ```ts
 * const transaction = hostTransaction((text, values) => manager.query(text, [...values])); // TypeORM's EntityManager
 * const transaction = hostTransaction((text, values) => sql.savepoint((sql) => sql.unsafe(text, [...values]))); // postgres.js's sql.begin
 * const transaction = hostTransaction((_text, _values, { strings, values }) =>
 *   tx.execute(sql(strings, ...values.map((value) => sql.param(value)))), // Drizzle's transaction, and its sql
 * );
 * ```
 */
export const hostTransaction = (query: TransactionQuery): OpenTransaction => {
  if (typeof query !== "function")
    throw new TypeError("hostTransaction takes a function that runs a statement in the open transaction");
  return { [made]: ofQuery(query, createFence()) };
};

const ended = (cause?: unknown): Error =>
  new Error("the host's transaction has ended: await each call before that", { cause });

/** SQLSTATEs with which the server ends a connection: it is shut down, or a time-out has passed. */
const endings = /^(?:57P0[1-5]|25P0[34])$/;

/**
 * Ends a client whose statement was given up, and with it the host's transaction: the server still runs the statement,
 * once it waits no more, and the host would commit what a refused call had begun. Of a connection that the server ends,
 * the client tells once more, by an event.
 */
const giveUp = (client: ClientBase, error: unknown): void => {
  if (endings.test(String((error as { code?: unknown }).code))) client.on("error", () => {});
  if (!isReadTimeout(error)) return;
  // Missing in the types of a pool's client.
  (client as ClientBase & { end?: () => unknown }).end?.();
};

const ofClient = (client: ClientBase): HostExecutor => ({
  run: (query, timeoutMs) =>
    runQuery<never>(client, query, { timeoutMs }).catch((error: unknown) => {
      giveUp(client, error);
      throw error;
    }),
  // A savepoint tells an end that was sent before it, and whose answer the client had not read.
  text: (words, timeoutMs) =>
    runText(client, words, { timeoutMs }).catch((error: unknown) => {
      giveUp(client, error);
      throw isOutside(error) ? ended(error) : error;
    }),
  sign: async () => undefined,
  assertOpen() {
    if (client.getTransactionStatus?.() === "I") throw ended();
  },
  assertInside: async () => {},
  watch() {
    let isLost = false;
    const onError = (): void => {
      isLost = true;
    };
    client.on("error", onError);
    // A loss may be told twice: by the server, and by the end of the connection.
    return () => {
      if (!isLost) client.off("error", onError);
    };
  },
});

interface Seen {
  query?: unknown;
  getTransactionStatus?: () => string | null;
  processID?: unknown;
  connect?: unknown;
  totalCount?: unknown;
  isTransaction?: unknown;
  executeQuery?: (query: CompiledQuery) => Promise<QueryResult<object>>;
  getExecutor?: () => Pick<QueryExecutor, "provideConnection">;
}

/** The views of one Kysely transaction, such as `withSchema` makes, have one connection. */
const connectionOf = async (seen: Seen): Promise<Sign | undefined> => {
  const key = await seen.getExecutor?.().provideConnection(async (connection) => connection);
  return key && { key, isNew: true };
};

const unusable =
  "transaction must be a pg client on which a transaction was begun, a Kysely Transaction, or what hostTransaction(query) makes of another library's";

/** Finds how to run statements in the host's transaction. Throws a `TypeError` that says what to pass instead. */
export const executorOf = (handle: unknown): HostExecutor => {
  if (typeof handle !== "object" && typeof handle !== "function") throw new TypeError(unusable);
  if (handle === null) throw new TypeError(unusable);
  if (made in handle) return (handle as OpenTransaction)[made];
  const seen = handle as Seen;
  const { executeQuery } = seen;
  if (typeof executeQuery === "function" && typeof seen.isTransaction === "boolean") {
    if (!seen.isTransaction)
      throw new TypeError("transaction is a Kysely database: pass the Transaction itself");
    const run: TransactionQuery = (text, values) => executeQuery.call(seen, Query.raw(text, [...values]));
    return { ...ofQuery(run), sign: () => connectionOf(seen) };
  }
  if (typeof seen.query !== "function") throw new TypeError(unusable);
  if (seen.totalCount !== undefined)
    throw new TypeError("transaction is a pg pool: pass the client of it on which the transaction was begun");
  if (typeof seen.getTransactionStatus !== "function" && !("processID" in handle))
    throw new TypeError(unusable);
  if (seen.getTransactionStatus?.() === "I")
    throw new TypeError(
      "transaction is a pg client without an open transaction: begin one first, and await each call before it ends",
    );
  if (isBinary(handle)) throw new TypeError(`transaction is a pg client ${binaryWords}`);
  return ofClient(handle as ClientBase);
};
