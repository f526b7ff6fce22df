import { type CompiledQuery, CompiledQuery as Query, type QueryResult } from "kysely";
import type { ClientBase } from "pg";
import { runQuery, runText } from "./run-query.ts";
import { serverErrorOf } from "./server-error.ts";
import { storable } from "./storable.ts";

/** Runs one statement, with values for `$1`, `$2` and so on, in the host's open transaction; its rows. */
export type TransactionQuery = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly object[] | { rows: readonly object[] }>;

/**
 * What the PostgreSQL storage takes as a transaction of the host's: a pg client on which it was begun, a Kysely `Transaction`, or what
 * `hostTransaction` makes of another library's.
 */
export type PostgresTransaction = ClientBase | KyselyTransaction | OpenTransaction;

/** Kysely's `Transaction`, of whatever tables; its `Kysely` is none. */
export interface KyselyTransaction {
  readonly isTransaction: true;
  executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>>;
}

const made = Symbol("a host's transaction");

/** A host's open transaction of a library that the storage doesn't know by itself. */
export interface OpenTransaction {
  readonly [made]: TransactionQuery;
}

/**
 * Makes an open transaction of any library one to pass as `transaction`, given how to run a statement in it. Keep what it returns as
 * long as the transaction: calls at the same time take turns by it.
 *
 * ```ts
 * const transaction = hostTransaction((text, values) => manager.query(text, [...values])); // TypeORM's EntityManager
 * const transaction = hostTransaction((text, values) => sql.savepoint((sql) => sql.unsafe(text, [...values]))); // postgres.js's sql.begin
 * ```
 */
export const hostTransaction = (query: TransactionQuery): OpenTransaction => ({ [made]: query });

/** How statements of ours run in a host's transaction. */
export interface HostExecutor {
  run<R>(query: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>>;
  text(words: string, timeoutMs: number): Promise<unknown>;
  /** Throws where the transaction has ended, as far as that can be seen. */
  assertOpen(): void;
}

const ofClient = (client: ClientBase): HostExecutor => ({
  run: (query, timeoutMs) => runQuery(client, query, { timeoutMs }),
  text: (words, timeoutMs) => runText(client, words, timeoutMs),
  assertOpen() {
    if (client.getTransactionStatus?.() === "I") throw new Error("the host's transaction has ended");
  },
});

const answersRows = (text: string): boolean => /^\s*(select|with)\b|\breturning\b/i.test(text);

/**
 * How values are read is the host's affair: whole numbers of 64 bits come as text, as bigint or as numbers. So all rows come as one text
 * of JSON, which every library hands on alike.
 */
const inJson = (text: string): string =>
  `with posthorn_rows as (${text}) select coalesce(json_agg(posthorn_rows), '[]')::text as posthorn_rows from posthorn_rows`;

const itemText = (item: unknown): string => {
  if (item === null || item === undefined) return "null";
  return typeof item === "string" ? `"${item.replaceAll(/[\\"]/g, "\\$&")}"` : String(item);
};

/** Lists go as PostgreSQL's own text for them: libraries differ in what they make of one, and of its type. */
const plain = (value: unknown): unknown => {
  const stored = storable(value);
  return Array.isArray(stored) ? `{${stored.map(itemText).join()}}` : stored;
};

/** What a statement failed with for want of a transaction. */
const isOutside = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "25P01";

const ofQuery = (query: TransactionQuery): HostExecutor => {
  const ask = async (text: string, values: readonly unknown[]): Promise<readonly object[]> => {
    try {
      const answer = await query(text, values.map(plain));
      return "rows" in answer ? answer.rows : answer;
    } catch (thrown) {
      const error = serverErrorOf(thrown);
      if (!isOutside(error)) throw error;
      throw new TypeError(
        "no transaction is open where hostTransaction's query runs: pass one that runs statements on the open transaction's own handle",
        { cause: thrown },
      );
    }
  };
  return {
    async run<R>(compiled: CompiledQuery) {
      const values = compiled.parameters;
      if (!answersRows(compiled.sql)) {
        await ask(compiled.sql, values);
        return { rows: [] };
      }
      const [row] = await ask(inJson(compiled.sql), values);
      const [json] = Object.values(row ?? {});
      // A library may have read it already.
      return { rows: (typeof json === "string" ? JSON.parse(json) : json) as R[] };
    },
    text: (words) => ask(words, []),
    assertOpen() {},
  };
};

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
  if (made in handle) return ofQuery((handle as OpenTransaction)[made]);
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
