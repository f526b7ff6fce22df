import type { CompiledQuery, QueryResult } from "kysely";
import type { ClientBase, QueryResult as PgResult, QueryConfig } from "pg";
import { postgresTypes } from "./postgres-types.ts";
import type { NameStatement } from "./statement-names.ts";
import { storable } from "./storable.ts";

/** pg's own option, which its types leave out. */
type TimedQuery = QueryConfig & { query_timeout: number };

const counted = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** Runs a statement; without a name, a pooler may give each transaction to another server process. */
export const runQuery = async <R>(
  client: ClientBase,
  query: Pick<CompiledQuery, "sql" | "parameters">,
  { timeoutMs, nameStatement }: { timeoutMs: number; nameStatement?: NameStatement | undefined },
): Promise<QueryResult<R>> => {
  const name = nameStatement?.(query.sql);
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

/** Runs text without parameters, which may hold several statements; the command tag of the last. */
export const runText = async (client: ClientBase, text: string, timeoutMs: number): Promise<string> => {
  const config: TimedQuery = { text, query_timeout: timeoutMs };
  const answer: PgResult | PgResult[] = await client.query(config);
  return (Array.isArray(answer) ? answer.at(-1) : answer)?.command ?? "";
};
