import { type CompiledQuery, CompiledQuery as Query, type QueryResult } from "kysely";
import type { ClientBase } from "pg";
import { createFence } from "./fence.ts";
import { type HostExecutor, ofQuery, type TransactionQuery } from "./query-executor.ts";
import { runQuery, runText } from "./run-query.ts";

/**
 * What the PostgreSQL storage takes as a transaction of the host's: a pg client on which it was begun, a Kysely `Transaction`, or what
 * `hostTransaction` makes of another library's.
 */
export type PostgresTransaction = ClientBase | KyselyTransaction | OpenTransaction;

/** Kysely's `Transaction`, of whatever tables; its `Kysely` is none. */
export interface KyselyTransaction {
  /** True: a `Kysely` that is no transaction has `false`. */
  readonly isTransaction: true;
  /** Runs a compiled query inside it. */
  executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>>;
}

const made = Symbol("a host's transaction");

/** A host's open transaction of a library that the storage doesn't know by itself. */
export interface OpenTransaction {
  readonly [made]: HostExecutor;
}

/**
 * Makes an open transaction of any library one to pass as `transaction`, given how to run a statement in it. Make it at
 * the transaction's begin and keep it as long: calls at the same time take turns by it, and it refuses what comes after the end.
 *
 * ```ts
 * const transaction = hostTransaction((text, values) => manager.query(text, [...values])); // TypeORM's EntityManager
 * const transaction = hostTransaction((text, values) => sql.savepoint((sql) => sql.unsafe(text, [...values]))); // postgres.js's sql.begin
 * ```
 */
export const hostTransaction = (query: TransactionQuery): OpenTransaction => ({
  [made]: ofQuery(query, createFence()),
});

const ofClient = (client: ClientBase): HostExecutor => ({
  run: (query, timeoutMs) => runQuery(client, query, { timeoutMs }),
  text: (words, timeoutMs) => runText(client, words, { timeoutMs }),
  assertOpen() {
    if (client.getTransactionStatus?.() === "I") throw new Error("the host's transaction has ended");
  },
  assertInside: async () => {},
});

interface Seen {
  query?: unknown;
  getTransactionStatus?: () => string | null;
  processID?: unknown;
  connect?: unknown;
  totalCount?: unknown;
  isTransaction?: unknown;
  executeQuery?: (query: CompiledQuery) => Promise<QueryResult<object>>;
}

const unusable =
  "transaction must be a pg client on which a transaction was begun, a Kysely Transaction, or what hostTransaction(query) makes of another library's";

/** How to run statements in what the host passed as its transaction. Throws a `TypeError` that says what to pass instead. */
export const executorOf = (handle: unknown): HostExecutor => {
  if (typeof handle !== "object" && typeof handle !== "function") throw new TypeError(unusable);
  if (handle === null) throw new TypeError(unusable);
  if (made in handle) return (handle as OpenTransaction)[made];
  const seen = handle as Seen;
  const { executeQuery } = seen;
  if (typeof executeQuery === "function" && typeof seen.isTransaction === "boolean") {
    if (!seen.isTransaction)
      throw new TypeError("transaction is a Kysely database: pass the Transaction itself");
    return ofQuery((text, values) => executeQuery.call(seen, Query.raw(text, [...values])));
  }
  if (typeof seen.query !== "function") throw new TypeError(unusable);
  if (seen.totalCount !== undefined)
    throw new TypeError("transaction is a pg pool: pass the client of it on which the transaction was begun");
  if (typeof seen.getTransactionStatus !== "function" && !("processID" in handle))
    throw new TypeError(unusable);
  if (seen.getTransactionStatus?.() === "I")
    throw new TypeError("transaction is a pg client without an open transaction: begin one first");
  return ofClient(handle as ClientBase);
};
