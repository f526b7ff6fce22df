import type { CompiledQuery, QueryResult } from "kysely";
import type { ClientBase, QueryResult as PgResult, QueryConfig } from "pg";
import { type Answer, runNamed, takesNamed } from "./named-query.ts";
import { postgresTypes } from "./postgres-types.ts";
import type { NameStatement } from "./statement-names.ts";
import { storable } from "./storable.ts";

/** A pg option that its types lack. */
export type TimedQuery = QueryConfig & { query_timeout: number };

const counted = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** Time limit of a statement, and the name under which it may be prepared. */
export interface Running {
  timeoutMs: number;
  nameStatement?: NameStatement | undefined;
}

/** The command of a tag such as `INSERT 0 5`. */
export const commandOf = (tag: string): string => tag.split(" ", 1)[0] ?? "";

/** The result of a statement by its answer. */
export const resultOf = <R>({ tag, found }: Answer): QueryResult<R> => {
  const rows = found as R[];
  return counted.has(commandOf(tag))
    ? { rows, numAffectedRows: BigInt(tag.slice(tag.lastIndexOf(" ") + 1)) }
    : { rows };
};

/** Runs a statement; without a name, it works with a pooler that may run each transaction in another server process. */
export const runQuery = async <R>(
  client: ClientBase,
  query: Pick<CompiledQuery, "sql" | "parameters">,
  { timeoutMs, nameStatement }: Running,
): Promise<QueryResult<R>> => {
  const name = nameStatement?.(query.sql);
  if (name !== undefined && takesNamed(client))
    return resultOf(await runNamed(client, { name, text: query.sql, values: query.parameters }, timeoutMs));
  const config: TimedQuery = {
    ...(name === undefined ? {} : { name }),
    text: query.sql,
    values: query.parameters.map(storable),
    types: postgresTypes,
    query_timeout: timeoutMs,
  };
  const { command, rowCount, rows } = await client.query(config);
  return counted.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
};

/**
 * Runs text without parameters, which may hold several statements unless it may have a name; the command tag of the last, without its
 * counts.
 */
export const runText = async (
  client: ClientBase,
  text: string,
  { timeoutMs, nameStatement }: Running,
): Promise<string> => {
  const name = nameStatement?.(text);
  if (name !== undefined && takesNamed(client))
    return commandOf((await runNamed(client, { name, text, values: [] }, timeoutMs)).tag);
  const config: TimedQuery = { text, query_timeout: timeoutMs };
  const answer: PgResult | PgResult[] = await client.query(config);
  return (Array.isArray(answer) ? answer.at(-1) : answer)?.command ?? "";
};
