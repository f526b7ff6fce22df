import type { CompiledQuery } from "kysely";

const mark = Symbol("nobody waits for the answer");

/** A statement whose answer nobody needs: inside a transaction, an engine may send it and go on. */
export const deferred = <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
  Object.freeze({ ...query, [mark]: true });

/** Whether nobody needs the statement's answer. */
export const isDeferred = (query: CompiledQuery): boolean => mark in query;
