import { StorageUnavailable } from "@posthorn/core/storage";
import { CompiledQuery, type QueryResult } from "kysely";
import { asOneRead, createJoinedTexts } from "./joined-texts.ts";
import type { KnownAnswers } from "./known-answers.ts";

/** A connection to read on, until its release. */
interface ReadSession {
  query<R>(query: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>>;
  release(): void;
}

/** How a read goes out. */
export interface Sharing {
  timeoutMs: number;
  /** Whether it may be one statement with other reads of its turn. */
  isJoined: boolean;
}

/** Reads on a session that reads share which begin before it is open; the first of them opens it. */
export type SharedReads = <R>(
  open: () => Promise<ReadSession>,
  query: CompiledQuery,
  sharing: Sharing,
) => Promise<QueryResult<R>>;

interface Waiting {
  query: CompiledQuery;
  resolve(result: QueryResult<never>): void;
  reject(error: unknown): void;
}

/** Reads that wait for one session: those of one group may be one statement. */
interface Flight {
  groups: Waiting[][];
  /** Number of its reads. */
  size: number;
  /** The group of this turn. */
  turn: Waiting[] | undefined;
}

/** Ms for which reads are sent one by one after a joined one failed: together, all would wait for a locked table. */
const apartMs = 10_000;

/**
 * Maximum number of reads in a statement, more than the look-ups of a send: planning takes PostgreSQL ever longer for
 * each, and it refuses more than 1664.
 */
const readsAtMost = 8;

/** Number of reads after which the next ones wait for another session, so that none holds its session for long. */
const flightAtMost = 64;

/**
 * Sends each read as a statement of its own; those that fail are rejected with `failure`, else with their own error.
 * Returns the last error.
 */
const readApart = async (
  session: ReadSession,
  reads: readonly Waiting[],
  { timeoutMs, failure }: { timeoutMs: number; failure?: unknown },
): Promise<unknown> => {
  let last: unknown;
  const fail = (error: unknown, { reject }: Waiting): void => {
    last = failure ?? error;
    reject(last);
  };
  await Promise.all(
    reads.map((read) =>
      session.query<never>(read.query, timeoutMs).then(read.resolve, (error: unknown) => fail(error, read)),
    ),
  );
  return last;
};

/**
 * Sends groups at once. Returns what those read that failed because the storage is away or a table locked, with the last
 * error of each: other errors are of a read's own values.
 */
const sendAll = async (
  groups: readonly Waiting[][],
  send: (reads: readonly Waiting[]) => Promise<unknown>,
): Promise<Map<string, unknown>> => {
  const failed = new Map<string, unknown>();
  await Promise.all(
    groups.map(async (reads) => {
      const error = await send(reads);
      if (error instanceof StorageUnavailable) failed.set(whatIsRead(reads), error);
    }),
  );
  return failed;
};

const whatIsRead = (reads: readonly Waiting[]): string => reads.map(({ query }) => query.sql).join();

/**
 * Sends the first of all groups that read the same, then the others: on a session each waits for those before it, so
 * that reads of a locked table would time out one after another.
 */
const sendFlight = async (
  { groups }: Flight,
  send: (reads: readonly Waiting[]) => Promise<unknown>,
): Promise<void> => {
  const firsts = new Map<string, Waiting[]>();
  const others: Waiting[][] = [];
  for (const reads of groups) {
    const read = whatIsRead(reads);
    if (firsts.has(read)) others.push(reads);
    else firsts.set(read, reads);
  }
  const failed = await sendAll([...firsts.values()], send);
  const left = others.filter((reads) => {
    const error = failed.get(whatIsRead(reads));
    if (error !== undefined) for (const { reject } of reads) reject(error);
    return error === undefined;
  });
  await sendAll(left, send);
};

/**
 * Joins short reads that begin in one turn into one statement, whose rows come as JSON: for reads by a key, executing
 * costs both sides less than a statement of its own. Reads that begin while others wait for a session go out with them,
 * so that any number of callers at once needs a few sessions only.
 */
export const createSharedReads = (
  now = () => performance.now(),
  known?: Pick<KnownAnswers, "remember">,
): SharedReads => {
  const textOf = createJoinedTexts(asOneRead);
  /** The reads that others may still join. */
  let boarding: Flight | undefined;
  let apartUntil = Number.NEGATIVE_INFINITY;

  const readJoined = async (
    session: ReadSession,
    text: string,
    { reads, timeoutMs }: { reads: readonly Waiting[]; timeoutMs: number },
  ): Promise<unknown> => {
    const parameters = reads.flatMap(({ query }) => query.parameters);
    try {
      const { rows } = await session.query<Record<string, string | null>>(
        CompiledQuery.raw(text, parameters),
        timeoutMs,
      );
      for (const [index, { query, resolve }] of reads.entries()) {
        const answer = rows[0]?.[`r${index}`] ?? null;
        known?.remember(query, answer);
        resolve({ rows: JSON.parse(answer ?? "[]") });
      }
      return undefined;
    } catch (error) {
      apartUntil = now() + apartMs;
      // Only those fail that must: one by one, the others succeed unless the connection is lost.
      return await readApart(session, reads, { timeoutMs, failure: error });
    }
  };
  const readGroup = (
    session: ReadSession,
    reads: readonly Waiting[],
    timeoutMs: number,
  ): Promise<unknown> => {
    const text =
      reads.length > 1 && now() >= apartUntil ? textOf(reads.map(({ query }) => query)) : undefined;
    if (text !== undefined) return readJoined(session, text, { reads, timeoutMs });
    return readApart(session, reads, { timeoutMs });
  };
  const depart = async (flight: Flight, opening: Promise<ReadSession>, timeoutMs: number) => {
    // All look-ups of a send begin before this.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const session = await opening.catch((error: unknown) => {
      for (const { reject } of flight.groups.flat()) reject(error);
    });
    if (boarding === flight) boarding = undefined;
    if (!session) return;
    const [only = [], ...others] = flight.groups;
    const send = (reads: readonly Waiting[]) => readGroup(session, reads, timeoutMs);
    // Without detours: whoever awaited a read is to find the session free again.
    await (others.length === 0 ? send(only) : sendFlight(flight, send));
    session.release();
  };
  const board = (open: () => Promise<ReadSession>, timeoutMs: number): Flight => {
    const flight: Flight = { groups: [], size: 0, turn: undefined };
    boarding = flight;
    void depart(flight, open(), timeoutMs);
    return flight;
  };
  /** Adds to the group of this turn, which a few reads fill. */
  const join = (flight: Flight, read: Waiting): void => {
    if (flight.turn !== undefined && flight.turn.length < readsAtMost) {
      flight.turn.push(read);
      return;
    }
    const turn = [read];
    flight.turn = turn;
    flight.groups.push(turn);
    process.nextTick(() => {
      if (flight.turn === turn) flight.turn = undefined;
    });
  };

  return <R>(open: () => Promise<ReadSession>, query: CompiledQuery, { timeoutMs, isJoined }: Sharing) => {
    const flight = boarding ?? board(open, timeoutMs);
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<R>>();
    const read = { query, resolve: resolve as Waiting["resolve"], reject };
    if (isJoined) join(flight, read);
    else flight.groups.push([read]);
    flight.size += 1;
    if (flight.size >= flightAtMost) boarding = undefined;
    return promise;
  };
};
