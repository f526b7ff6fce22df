import { StorageUnavailable, type Turns } from "@posthorn/core/storage";
import { createMutex, type Engine, portError, tableWritten } from "@posthorn/storage-sql";
import type { CompiledQuery, QueryResult } from "kysely";
import type { Pool } from "pg";
import { endsConnection, isAborted } from "../postgres-errors.ts";
import type { JoinedTexts } from "../round-trips/joined-texts.ts";
import { createJoinedWrites } from "../round-trips/joined-writes.ts";
import type { SharedReads } from "../round-trips/shared-reads.ts";
import type { StaleStatistics } from "../server/stale-statistics.ts";
import { commandOf, resultOf, runQuery, runText } from "../statements/run-query.ts";
import type { NameStatement } from "../statements/statement-names.ts";
import { checkOut } from "./check-out.ts";
import { createFlights } from "./create-flights.ts";
import { gatherWrites } from "./gather-writes.ts";
import type { StuckReads } from "./stuck-reads.ts";
import type { Timeouts } from "./timeouts.ts";

/** The source of connections, and the time-outs on them. */
export interface ConnectionSource {
  /** For transactions and writing statements. */
  pool: Pool;
  /** For reads outside a transaction, which are thus not blocked by writers waiting for locks. */
  reads: Pool;
  engine: Engine;
  timeouts: Timeouts;
  /** Whether connections were opened with the time-outs set; else each transaction sets its own. */
  keepsTimeouts: boolean;
  /** Absent if each transaction may get another server process. */
  nameStatement: NameStatement | undefined;
  stuckReads: StuckReads;
  /** For reads outside a transaction. */
  longReads: Turns;
  joinedTexts: JoinedTexts;
  /** Absent on a host's connections. */
  sharedReads: SharedReads | undefined;
  staleStatistics: StaleStatistics;
  /** Called when a connection is lost, or none can be had. */
  lost(): void;
}

/** Whether others wait for clients of the pool, or all of them are in use. */
export const isBusy = ({ idleCount, waitingCount, totalCount, options: { max = 10 } }: Pool): boolean =>
  idleCount <= waitingCount && (waitingCount > 0 || totalCount >= max);

/**
 * If a pooler reassigns server processes after each transaction, time-outs are set per transaction. The isolation level
 * is explicit, because the database's default may differ, and reading again after a lock relies on this level.
 */
const beginTexts = ({ keepsTimeouts, timeouts }: ConnectionSource): string[] => {
  const begin = "begin isolation level read committed";
  if (keepsTimeouts) return [begin];
  return [
    begin,
    `set local statement_timeout = ${timeouts.statement}`,
    `set local lock_timeout = ${timeouts.lock}`,
    `set local idle_in_transaction_session_timeout = ${timeouts.idleInTransaction}`,
  ];
};

/** Whether the statement reads, and locks nothing. */
export const isRead = ({ sql }: CompiledQuery): boolean =>
  /^\s*select\b/i.test(sql) && !/\bfor (no key |key )?(update|share)\b|\bnextval\(/i.test(sql);

/**
 * What is thrown if a pool has no client. Whatever the reason, such as a full disk, a closed database, a new password or
 * an expired certificate, there is no storage to ask. Only a URL that can't be read is the host's own fault.
 */
const unconnected = ({ engine }: ConnectionSource, { ending: isFinal }: Pool, cause: unknown): unknown => {
  const told = portError(engine, cause);
  const { code, message = String(cause) } = Object(cause) as { code?: unknown; message?: unknown };
  if ((told instanceof StorageUnavailable && !isFinal) || code === "ERR_INVALID_URL") return told;
  return new StorageUnavailable(`the storage is unavailable: ${message}`, { cause, isFinal });
};

/**
 * A pool's client, until its release. A client in a doubtful state is never reused. On our own connections, statements
 * are pipelined; on a host's they run one after another.
 */
export const createSession = async (source: ConnectionSource, pool: Pool) => {
  const { engine, timeouts, nameStatement, sharedReads } = source;
  const isHosts = sharedReads === undefined;
  const taken = await checkOut(pool, timeouts, { isHosts }).catch((error: unknown) => {
    source.lost();
    throw unconnected(source, pool, error);
  });
  const { client } = taken;
  let broken = false;
  /** The error of a statement whose answer nobody awaited. */
  let failure: { error: unknown } | undefined;
  /** Resolves when all such statements are answered. */
  let answered: Promise<unknown> = Promise.resolve();
  /** How the transaction begins, until the server is told. */
  let beginning: string[] | undefined;
  /** What must succeed for the transaction to commit, until the server is told. */
  let confirmation: CompiledQuery | undefined;
  let hasBegun = false;
  const enter = client.pipeline ? undefined : createMutex();
  const gather = client.pipeline ? gatherWrites(client) : () => {};
  const flights = createFlights(client, {
    timeoutMs: timeouts.query,
    nameStatement,
    guard: `lock table ${engine.ddl.table("schema_migrations")} in access share mode`,
  });

  const guarded = async <T>(work: () => Promise<T>, began?: number): Promise<T> => {
    // Only statements sent before this one: otherwise it would wait for itself.
    const before = answered;
    const leave = await enter?.();
    try {
      if (broken || taken.isLost()) throw new StorageUnavailable("the connection to PostgreSQL is lost");
      return await work();
    } catch (error) {
      if (endsConnection(error)) {
        broken = true;
        source.lost();
      }
      if (isAborted(error)) await before;
      throw failure !== undefined && isAborted(error) ? failure.error : portError(engine, error);
    } finally {
      leave?.();
      if (began !== undefined) source.staleStatistics.ended(began);
    }
  };
  /** Behind what waits, with a sync of its own: it runs even if what comes before it fails. */
  const text = (words: string) =>
    guarded(() => {
      flights?.depart();
      gather();
      return runText(client, words, { timeoutMs: timeouts.query, nameStatement });
    });
  const queryNow = <R>(compiled: CompiledQuery, timeoutMs: number) => {
    const began = performance.now();
    return guarded(() => {
      if (flights !== undefined && hasBegun)
        return flights.add<QueryResult<R>>(compiled.sql, compiled.parameters, resultOf);
      gather();
      return runQuery<R>(client, compiled, { timeoutMs, nameStatement });
    }, began);
  };
  /** Continues without the answer if statements can be pipelined. The next awaited statement reports a failure. */
  const ahead = async (work: Promise<unknown>): Promise<void> => {
    const done = work.catch((error: unknown) => {
      failure ??= { error };
    });
    answered = Promise.all([answered, done]);
    if (client.pipeline) return;
    await done;
    if (failure !== undefined) throw failure.error;
  };
  const beginNow = (texts: string[]): Promise<void> => {
    beginning = undefined;
    hasBegun = true;
    return ahead(flights === undefined ? text(texts.join("; ")) : guarded(() => flights.begin(...texts)));
  };
  /** Within a transaction, after its beginning. */
  const queryWithin: typeof queryNow = (compiled, timeoutMs) => {
    if (beginning !== undefined) void beginNow(beginning);
    if (confirmation !== undefined) {
      const first = confirmation;
      confirmation = undefined;
      void ahead(queryNow(first, timeouts.query));
    }
    return queryNow(compiled, timeoutMs);
  };
  const send = (compiled: CompiledQuery): void => void ahead(queryWithin(compiled, timeouts.query));
  const joined = client.pipeline ? createJoinedWrites(source.joinedTexts, send) : undefined;
  const query: typeof queryNow = (compiled, timeoutMs) => {
    joined?.flush();
    return queryWithin(compiled, timeoutMs);
  };

  return {
    query,
    /**
     * If statements can be pipelined, and the connection keeps its settings, the server is told together with the first
     * statement.
     */
    async begin(): Promise<void> {
      if (client.pipeline && source.keepsTimeouts) beginning = beginTexts(source);
      else await beginNow(beginTexts(source));
    },
    /** Continues without the answer: writes join others of the turn, and reads are independent of them. */
    async later(compiled: CompiledQuery): Promise<void> {
      const table = tableWritten(compiled);
      if (joined !== undefined && table !== undefined) joined.add(compiled, table);
      else await ahead((isRead(compiled) ? queryWithin : query)(compiled, timeouts.query));
    },
    /** Fails the transaction, at its end at the latest, if the statement fails. */
    async confirm(compiled: CompiledQuery): Promise<void> {
      if (joined === undefined || beginning === undefined) await queryWithin(compiled, timeouts.query);
      else confirmation = compiled;
    },
    async commit() {
      const last = joined?.take(confirmation) ?? [];
      confirmation = undefined;
      if (beginning !== undefined && last.length <= 1) {
        // The server knows nothing of the transaction yet, and runs a single statement as one.
        beginning = undefined;
        for (const write of last) await queryNow(write, timeouts.query);
        return;
      }
      for (const write of last) send(write);
      const command = flights
        ? await guarded(() => flights.add("commit", [], ({ tag }) => commandOf(tag)))
        : await text("commit");
      await answered;
      if (failure !== undefined) throw failure.error;
      if (command !== "COMMIT")
        throw new Error("the transaction was aborted by an earlier error that was ignored");
    },
    async rollback() {
      joined?.take();
      confirmation = undefined;
      beginning = undefined;
      if (!hasBegun) return;
      try {
        await text("rollback");
      } catch {
        broken = true;
      }
    },
    release() {
      taken.release(broken);
    },
  };
};

export type Session = Awaited<ReturnType<typeof createSession>>;
