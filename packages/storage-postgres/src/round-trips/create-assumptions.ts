import { type Assumptions, Unconfirmed } from "@posthorn/core/storage";
import {
  briefReadOf,
  confirming,
  createRepositories,
  type Engine,
  type Handle,
  isBrief,
  noStream,
  runOnLeases,
} from "@posthorn/storage-sql";
import { CompiledQuery, type DatabaseConnection, type QueryResult } from "kysely";
import { isConflict, isLockTimeout, isOtherAnswer } from "../postgres-errors.ts";
import { asOneFact, createJoinedTexts } from "./joined-texts.ts";
import type { KnownAnswers } from "./known-answers.ts";

/** Ms for which nothing is assumed after the confirmation waited in vain for a locked table, or was refused too often. */
const pauseMs = 10_000;

/** Refused confirmations in a row from which on each one is followed by a pause: what is looked up changes all the time. */
const refusedAtMost = 8;

/** The condition that a read answers what its last parameter says. */
const conditionOf = ({ sql, parameters }: CompiledQuery, ignored: string | undefined): string => {
  const expected = `$${parameters.length + 1}`;
  return ignored === undefined
    ? `(select json_agg(found) from (${sql}) as found)::text is not distinct from ${expected}`
    : `(select jsonb_agg(to_jsonb(found) - '${ignored}') from (${sql}) as found) is not distinct from ${expected}::jsonb`;
};

/** Returns rows as JSON without a column. */
const withoutColumn = (answer: string | null, column: string): string | null => {
  if (answer === null) return null;
  const rows: Record<string, unknown>[] = JSON.parse(answer);
  for (const row of rows) delete row[column];
  return JSON.stringify(rows);
};

/** Makes conditions, building the text of each kind once. */
const createFacts = (): ((query: CompiledQuery, answer: string | null) => CompiledQuery) => {
  const conditions = new Map<string, string>();
  return (query, answer) => {
    const { ignored } = briefReadOf(query) ?? {};
    const condition = conditions.get(query.sql) ?? conditionOf(query, ignored);
    conditions.set(query.sql, condition);
    const expected = ignored === undefined ? answer : withoutColumn(answer, ignored);
    return CompiledQuery.raw(condition, [...query.parameters, expected]);
  };
};

/**
 * Returns a function that begins to assume what is known. A transaction on assumptions compares them with what the same
 * reads answer in its own statement, and fails unless they are equal.
 */
export const createAssumptions = (
  { db, engine, known }: { db: Handle; engine: Engine; known: KnownAnswers },
  handleOn: (connection: DatabaseConnection) => Handle,
  now = () => performance.now(),
): (() => Assumptions | undefined) => {
  const textOf = createJoinedTexts(asOneFact);
  const factOf = createFacts();
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let refused = 0;

  return () => {
    if (now() < pausedUntil) return undefined;
    const assumed: { query: CompiledQuery; answer: string | null }[] = [];
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const answer = isBrief(query) ? known.find(query) : undefined;
        if (answer === undefined) throw new Unconfirmed("no answer is known");
        assumed.push({ query, answer });
        return { rows: JSON.parse(answer ?? "[]") };
      },
      streamQuery: noStream,
    };
    const confirmation = (): CompiledQuery => {
      const facts = assumed.map(({ query, answer }) => factOf(query, answer));
      const text = textOf(facts);
      if (text === undefined) throw new Unconfirmed("there are too many kinds of assumptions");
      return confirming(
        CompiledQuery.raw(
          text,
          facts.flatMap(({ parameters }) => parameters),
        ),
      );
    };
    return {
      reads: createRepositories(handleOn(connection), engine),
      async transaction(work) {
        try {
          const result = await runOnLeases(db, engine, async (handle) => {
            await handle.executeQuery(confirmation());
            return work(createRepositories(handle, engine));
          });
          refused = 0;
          return result;
        } catch (error) {
          if (isOtherAnswer(error)) refused += 1;
          if (isLockTimeout(error) || refused >= refusedAtMost) pausedUntil = now() + pauseMs;
          // In each of these cases the server has rolled back.
          if (!isOtherAnswer(error) && !isConflict(error)) throw error;
          for (const { query } of assumed) known.forget(query);
          throw new Unconfirmed("an answer is another one now", { cause: error });
        }
      },
    };
  };
};
