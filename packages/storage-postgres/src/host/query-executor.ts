import type { CompiledQuery, QueryResult } from "kysely";
import { plainValue } from "../statements/plain-value.ts";
import type { Fence, Sign } from "./fence.ts";
import { serverErrorOf } from "./server-error.ts";

/** Runs one statement, with values for `$1`, `$2` and so on, in the host's open transaction; returns its rows. */
export type TransactionQuery = (
  /** The statement, with `$1`, `$2` … for the values. */
  text: string,
  /** The values, in the form `pg` takes. */
  values: readonly unknown[],
  /** The same as a template tag takes it, `tag(strings, ...values)`, for libraries with placeholders of their own. */
  template: { strings: TemplateStringsArray; values: readonly unknown[] },
) => Promise<readonly object[] | { rows: readonly object[] }>;

/** Takes a statement apart; a value that is used twice is there twice. */
function templateOf(text: string, values: readonly unknown[]): Parameters<TransactionQuery>[2] {
  const words = text.split(/\$\d+/);
  const order = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]);
  return { strings: Object.assign(words, { raw: words }), values: order };
}

/** Runs our statements in a host's transaction. */
export interface HostExecutor {
  run<R>(query: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>>;
  text(words: string, timeoutMs: number): Promise<unknown>;
  /** What identifies the transaction, if a host may make several handles for it. */
  sign(): Promise<Sign | undefined>;
  /** Throws if the transaction has visibly ended. */
  assertOpen(): void;
  /** Like `assertOpen`, but asks the server: for statements that no savepoint protects. */
  assertInside(): Promise<void>;
  /**
   * Keeps the loss of the connection between two statements from ending the process, until the returned function is
   * called: the next statement reports it.
   */
  watch(): () => void;
}

const answersRows = (text: string): boolean => /^\s*(select|with)\b|\breturning\b/i.test(text);
const writes = (text: string): boolean => /^\s*(insert|update|delete)\b/i.test(text);

/** What stands before the rows: plugins of Kysely parse any text that looks like JSON, and change its keys and values. */
const mark = "rows ";

/**
 * Libraries parse values differently: 64-bit integers arrive as text, bigint or number. So all rows are returned as one
 * JSON text, which every library passes on alike.
 */
const inJson = (text: string, within: (json: string) => string): string =>
  `with posthorn_rows as (${text}) select ${within(`'${mark}' || coalesce(json_agg(posthorn_rows)::text, '[]')`)} as posthorn_rows from posthorn_rows`;

const noRows = "hostTransaction's query must answer the statement's rows, or an object with its rows";
const notAsSent = `${noRows}, as the server sends them: without a transformation by your library, such as postgres.js's transform`;

const rowsIn = (json: unknown): unknown => {
  if (typeof json !== "string" || !json.startsWith(mark)) throw new TypeError(notAsSent);
  return JSON.parse(json.slice(mark.length));
};

/** Errors of a statement that needs a transaction. */
export const isOutside = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "25P01";

const firstOf = (rows: readonly object[]): unknown => Object.values(rows[0] ?? {})[0];

/** Returns the rows of an answer. A function without types may have forgotten its `return`. */
function rowsOf(answer: Awaited<ReturnType<TransactionQuery>>): readonly object[] {
  const rows: unknown = "rows" in Object(answer) ? Object(answer).rows : answer;
  if (Array.isArray(rows)) return rows;
  throw new TypeError(noRows);
}

/** Runs statements through a library's own query function, inside a fence unless the library provides one itself. */
export const ofQuery = (query: TransactionQuery, fence?: Fence): HostExecutor => {
  const ask = async (text: string, values: readonly unknown[]): Promise<readonly object[]> => {
    try {
      const plain = values.map(plainValue);
      return rowsOf(await query(text, plain, templateOf(text, plain)));
    } catch (thrown) {
      const error = serverErrorOf(thrown, text);
      if (fence?.isCrossed(error)) throw fence.ended(thrown);
      if (!isOutside(error)) throw error;
      fence?.forget();
      throw new TypeError(
        "no transaction is open where hostTransaction's query runs: pass one that runs statements on the open transaction's own handle, and await each call before it ends",
        { cause: thrown },
      );
    }
  };
  const look = async (sign: string): Promise<string> => {
    const answer = firstOf(await ask(`select ${sign}`, []));
    // Compared with anything else, each later statement would seem to run in another transaction.
    if (typeof answer !== "string") throw new TypeError(notAsSent);
    return answer;
  };
  return {
    async run<R>(compiled: CompiledQuery) {
      const values = compiled.parameters;
      const guard = (await fence?.guard(look)) ?? ((words: string) => words);
      if (!answersRows(compiled.sql)) {
        const guarded = writes(compiled.sql)
          ? `with posthorn_write as (${compiled.sql}) select ${guard("''")} as posthorn_rows`
          : compiled.sql;
        await ask(guarded, values);
        return { rows: [] };
      }
      return { rows: rowsIn(firstOf(await ask(inJson(compiled.sql, guard), values))) as R[] };
    },
    async text(words) {
      await fence?.guard(look);
      return ask(words, []);
    },
    sign: async () => fence?.sign(look),
    assertOpen() {},
    assertInside: async () => fence?.assertInside(look),
    // The library's own.
    watch: () => () => {},
  };
};
