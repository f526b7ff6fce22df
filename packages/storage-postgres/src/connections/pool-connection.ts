import { isBrief, isConfirming, isDeferred, longReadHolder, noStream } from "@posthorn/storage-sql";
import type { CompiledQuery, QueryResult } from "kysely";
import type { Pool } from "pg";
import { isLockTimeout, isReadTimeout } from "../postgres-errors.ts";
import { type ConnectionSource, createSession, isBusy, isRead, type Session } from "./create-session.ts";
import type { PostgresConnection } from "./postgres-dialect.ts";

/** A connection for Kysely, which takes a client once its use is known. */
export const connectFromPool = (source: ConnectionSource): PostgresConnection => {
  let session: Session | undefined;
  let leaveLongReads: (() => void) | undefined;
  let state: "outside a transaction" | "inside" | "ended" | "released" = "outside a transaction";
  /** Refuses a late statement that nobody awaits: it would run as a transaction of its own, or among others' statements. */
  const refuseLate = (): void => {
    if (state === "ended") throw new Error("the transaction has ended");
    if (state === "released") throw new Error("the connection was released");
  };
  const open = async (pool: Pool): Promise<Session> => {
    refuseLate();
    session ??= await createSession(source, pool);
    return session;
  };
  /** Without a wait inside a transaction: the statement could follow a rollback, and would be written for good. */
  const run = async <R>(pool: Pool, compiled: CompiledQuery): Promise<QueryResult<R>> =>
    (session ?? (await open(pool))).query<R>(compiled, timeoutOf());
  /**
   * Outside a transaction the server ends a statement only if the connection was opened with a time-out. Otherwise this
   * process stops waiting for it.
   */
  const timeoutOf = (): number => {
    const { keepsTimeouts, timeouts } = source;
    return state === "inside" || keepsTimeouts ? timeouts.query : Math.min(timeouts.query, 2 * timeouts.lock);
  };
  const opened = (): Session => {
    if (session === undefined) throw new Error("no transaction is open");
    return session;
  };

  return {
    async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
      refuseLate();
      const isInside = state === "inside";
      const { stuckReads, sharedReads } = source;
      if (isInside && isConfirming(compiled)) {
        await opened().confirm(compiled);
        return { rows: [] };
      }
      if (isInside && isDeferred(compiled)) {
        await opened().later(compiled);
        return { rows: [] };
      }
      if (!isRead(compiled)) return await run<R>(source.pool, compiled);
      // Checked before a connection is taken: a refused read takes none.
      const leave = stuckReads.enter(compiled.sql);
      try {
        const holder = session === undefined ? longReadHolder(compiled) : undefined;
        if (holder !== undefined) leaveLongReads ??= await source.longReads.enter(holder);
        const isJoined = isBrief(compiled);
        // The others share a session only if they would have to wait for one: each delays those behind it.
        const isShared = session === undefined && holder === undefined && (isJoined || isBusy(source.reads));
        const result =
          sharedReads !== undefined && isShared
            ? await sharedReads<R>(() => createSession(source, source.reads), compiled, {
                timeoutMs: timeoutOf(),
                isJoined,
              })
            : await run<R>(source.reads, compiled);
        leave("answered");
        return result;
      } catch (error) {
        leave(isLockTimeout(error) || isReadTimeout(error) ? "in vain" : "failed");
        throw error;
      }
    },
    streamQuery: noStream,
    async begin() {
      const { begin } = await open(source.pool);
      state = "inside";
      await begin();
    },
    commit() {
      state = "ended";
      return opened().commit();
    },
    rollback() {
      state = "ended";
      return opened().rollback();
    },
    release() {
      session?.release();
      session = undefined;
      leaveLongReads?.();
      leaveLongReads = undefined;
      if (state !== "ended") state = "released";
    },
  };
};
