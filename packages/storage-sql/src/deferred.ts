import type { Holder } from "@posthorn/core/storage";
import type { CompiledQuery, KyselyPlugin, RawBuilder } from "kysely";
import type { Handle } from "./engine.ts";
import type { TableName } from "./tables.ts";

const mark = Symbol("nobody waits for the answer");
const tableMark = Symbol("the table written to");

/** A statement whose result nobody needs: inside a transaction, an engine may send it without awaiting the answer. */
export const deferred = <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
  Object.freeze({ ...query, [mark]: true });

/**
 * Like `deferred`, for a statement that only writes to one table, and reads none that other statements of the same turn
 * write to: an engine may run these together, in any order.
 */
export const deferredWrite = <R>(query: CompiledQuery<R>, table: TableName): CompiledQuery<R> =>
  Object.freeze({ ...deferred(query), [tableMark]: table });

/** The table that the statement writes to, if it may run together with others. */
export const tableWritten = (query: CompiledQuery): TableName | undefined =>
  (query as CompiledQuery & { [tableMark]?: TableName })[tableMark];

/** Whether the statement's result is not needed. */
export const isDeferred = (query: CompiledQuery): boolean => mark in query;

const briefMark = Symbol("over at once");

/** How the answer of a short read may be assumed before it is known. */
export interface BriefRead {
  /** A column that changes without any difference to who reads it. */
  ignored?: string;
  /** Whether there are usually no rows. */
  usuallyEmpty?: boolean;
}

/** Marks a read that is short whatever the tables hold: outside a transaction, those of one turn may be one statement. */
export const brief = <R>(query: CompiledQuery<R>): CompiledQuery<R> => briefly({})(query);

/** Like `brief`, for a read of which something is known. */
export const briefly =
  (known: BriefRead) =>
  <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
    Object.freeze({ ...query, [briefMark]: known });

/** What is known of a read that is marked as short; `undefined` for any other. */
export const briefReadOf = (query: CompiledQuery): BriefRead | undefined =>
  (query as CompiledQuery & { [briefMark]?: BriefRead })[briefMark];

/** Whether the read is marked as short. */
export const isBrief = (query: CompiledQuery): boolean => briefMark in query;

const confirmingMark = Symbol("fails the transaction");

/**
 * Marks a read of which only the failure matters: the transaction must not commit without it. An engine may run it with any
 * other statement of the transaction.
 */
export const confirming = (query: CompiledQuery): CompiledQuery =>
  Object.freeze({ ...query, [confirmingMark]: true });

/** Whether only the failure of the read matters. */
export const isConfirming = (query: CompiledQuery): boolean => confirmingMark in query;

const longMark = Symbol("may be long");

/** Whom a read that may be long is for. */
export interface ForHolder {
  /** A workspace's number, or another name. */
  holder: Holder;
}

/** Reads of the operator, or of the service itself, across workspaces. */
export const forOperator: ForHolder = { holder: "all" };

/**
 * Marks a query builder's read that takes longer the more rows there are, such as a list or a count. Outside a
 * transaction an engine may run it in a place where it blocks nothing else, and lets holders take turns.
 */
export const mayBeLong = ({ holder }: ForHolder): KyselyPlugin => ({
  transformQuery: ({ node }) => Object.freeze({ ...node, [longMark]: holder }),
  transformResult: async ({ result }) => result,
});

/** Like `mayBeLong`, for a compiled query. */
export const longRead =
  ({ holder }: ForHolder) =>
  <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
    Object.freeze({ ...query, query: Object.freeze({ ...query.query, [longMark]: holder }) });

/** Runs `sql` text as a read that may be long; returns its rows. */
export const readLong = async <R>(db: Handle, text: RawBuilder<R>, to: ForHolder): Promise<R[]> =>
  (await db.executeQuery<R>(longRead(to)(text.compile(db)))).rows;

/** The holder of a read that is marked as possibly long; `undefined` for any other. */
export const longReadHolder = ({ query }: CompiledQuery): Holder | undefined =>
  (query as typeof query & { [longMark]?: Holder })[longMark];
