import type { ClientBase } from "pg";
import { runQuery } from "../statements/run-query.ts";

/** The numbers of a connection's server process. */
export interface ProcessNumbers {
  /** The number sent when the connection was opened; a pooler sends one of its own. */
  told: number | undefined;
  /** The number that the process itself returns. */
  own: number | undefined;
}

/** Asks a connection's server process for its number. They differ if, and only if, a pooler is in between. */
export const processNumbers = async (client: ClientBase, timeoutMs: number): Promise<ProcessNumbers> => {
  const asked = { sql: "select pg_backend_pid() as pid", parameters: [] };
  const { rows } = await runQuery<{ pid: number }>(client, asked, { timeoutMs });
  // Missing in pg's types.
  const { processID: told } = client as ClientBase & { processID?: number };
  return { told, own: rows[0]?.pid };
};
