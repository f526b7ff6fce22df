import type { CompiledQuery, KyselyPlugin, RawBuilder } from "kysely";
import type { Handle } from "./engine.ts";
import type { TableName } from "./tables.ts";

const mark = Symbol("nobody waits for the answer");
const tableMark = Symbol("the table written to");

/** A statement whose answer nobody needs: inside a transaction, an engine may send it and go on. */
export const deferred = <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
  Object.freeze({ ...query, [mark]: true });

/**
 * As `deferred`, for a statement that does nothing but write to the one table, and reads none that others of its turn write to: an engine may
 * run it together with those, in any order.
 */
export const deferredWrite = <R>(query: CompiledQuery<R>, table: TableName): CompiledQuery<R> =>
  Object.freeze({ ...deferred(query), [tableMark]: table });

/** The table that the statement writes to, if it may be run together with others. */
export const tableWritten = (query: CompiledQuery): TableName | undefined =>
  (query as CompiledQuery & { [tableMark]?: TableName })[tableMark];

/** Whether nobody needs the statement's answer. */
export const isDeferred = (query: CompiledQuery): boolean => mark in query;

const briefMark = Symbol("over at once");

/** A read that is over at once, whatever the tables hold: those of one turn may go behind each other on one connection. */
export const brief = <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
  Object.freeze({ ...query, [briefMark]: true });

/** Whether the read is over at once. */
export const isBrief = (query: CompiledQuery): boolean => briefMark in query;

const longMark = Symbol("may be long");

/**
 * For the query builder: a read that takes the longer the more there is, such as a list or a count. Outside a transaction an engine may
 * run it where it holds up nobody.
 */
export const mayBeLong: KyselyPlugin = {
  transformQuery: ({ node }) => Object.freeze({ ...node, [longMark]: true }),
  transformResult: async ({ result }) => result,
};

/** As `mayBeLong`, of a query that is compiled already. */
export const longRead = <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
  Object.freeze({ ...query, query: Object.freeze({ ...query.query, [longMark]: true }) });

/** The rows of a read in text that may be long. */
export const readLong = async <R>(db: Handle, text: RawBuilder<R>): Promise<R[]> =>
  (await db.executeQuery<R>(longRead(text.compile(db)))).rows;

/** Whether the read may be long. */
export const isLongRead = ({ query }: CompiledQuery): boolean => longMark in query;
