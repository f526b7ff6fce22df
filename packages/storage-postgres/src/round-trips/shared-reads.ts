import { CompiledQuery, type QueryResult } from "kysely";
import { asOneRead, createJoinedTexts } from "./joined-texts.ts";
import type { KnownAnswers } from "./known-answers.ts";

/** A connection to read on, until its release. */
interface ReadSession {
  query<R>(query: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>>;
  release(): void;
}

/** Reads on a session that reads of the same turn share; the first of them opens it. */
export type SharedReads = <R>(
  open: () => Promise<ReadSession>,
  query: CompiledQuery,
  timeoutMs: number,
) => Promise<QueryResult<R>>;

interface Waiting {
  query: CompiledQuery;
  resolve(result: QueryResult<never>): void;
  reject(error: unknown): void;
}

/** Ms for which reads are sent one by one after a joined one failed: together, all would wait for a locked table. */
const apartMs = 10_000;

/**
 * Maximum number of reads in a statement, more than the look-ups of a send: planning takes PostgreSQL ever longer for
 * each, and it refuses more than 1664.
 */
const readsAtMost = 8;

/** Sends each read as a statement of its own; those that fail are rejected with `failure`, else with their own error. */
const readApart = (
  session: ReadSession,
  reads: readonly Waiting[],
  { timeoutMs, failure }: { timeoutMs: number; failure?: unknown },
): Promise<unknown> =>
  Promise.all(
    reads.map(({ query, resolve, reject }) =>
      session
        .query<never>(query, timeoutMs)
        .then(resolve, (error: unknown) => reject(failure === undefined ? error : failure)),
    ),
  );

/**
 * Joins short reads that begin in one turn into one statement, whose rows come as JSON: for reads by a key, executing
 * costs both sides less than a statement of its own.
 */
export const createSharedReads = (
  now = () => performance.now(),
  known?: Pick<KnownAnswers, "remember">,
): SharedReads => {
  const textOf = createJoinedTexts(asOneRead);
  let gathered: Waiting[] | undefined;
  let apartUntil = Number.NEGATIVE_INFINITY;

  const readJoined = async (
    session: ReadSession,
    text: string,
    { reads, timeoutMs }: { reads: readonly Waiting[]; timeoutMs: number },
  ): Promise<void> => {
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
    } catch (error) {
      apartUntil = now() + apartMs;
      // Only those fail that must: one by one, the others succeed unless the connection is lost.
      await readApart(session, reads, { timeoutMs, failure: error });
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
  const readAll = async (opening: Promise<ReadSession>, reads: Waiting[], timeoutMs: number) => {
    let session: ReadSession;
    try {
      session = await opening;
    } catch (error) {
      for (const { reject } of reads) reject(error);
      return;
    }
    const groups: Promise<unknown>[] = [];
    for (let start = 0; start < reads.length; start += readsAtMost)
      groups.push(readGroup(session, reads.slice(start, start + readsAtMost), timeoutMs));
    for (const group of groups) await group;
    session.release();
  };

  return <R>(open: () => Promise<ReadSession>, query: CompiledQuery, timeoutMs: number) => {
    if (gathered === undefined) {
      const reads: Waiting[] = [];
      const opening = open();
      // All look-ups of a send begin before this.
      process.nextTick(() => {
        gathered = undefined;
        void readAll(opening, reads, timeoutMs);
      });
      gathered = reads;
    }
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<R>>();
    gathered.push({ query, resolve: resolve as Waiting["resolve"], reject });
    return promise;
  };
};
