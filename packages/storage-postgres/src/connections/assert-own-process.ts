import type { ClientBase } from "pg";
import { runText, type TimedQuery } from "../statements/run-query.ts";

/** Thrown if notifications can't arrive on a connection, because a pooler gives its server process to others. */
export class Unheard extends Error {
  override name = "Unheard";
}

/** Runs work with another connection to the database. */
export type WithClient = <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;

const attempts = 5;

const processOf = async (client: ClientBase, timeoutMs: number): Promise<string> => {
  const config: TimedQuery = { text: "select pg_backend_pid() as pid", query_timeout: timeoutMs };
  const { rows } = await client.query<{ pid: unknown }>(config);
  return String(rows[0]?.pid);
};

const isShared = async (client: ClientBase, withClient: WithClient, timeoutMs: number): Promise<boolean> => {
  const before = await processOf(client, timeoutMs);
  // Of two processes in turn, the other connection would take the second, and leave the first.
  if ((await processOf(client, timeoutMs)) !== before) return true;
  return await withClient(async (other) => {
    // If one of these fails, the connection is dropped, and the transaction with it.
    await runText(other, "begin", { timeoutMs });
    const isTaken = (await processOf(other, timeoutMs)) === before;
    const hasChanged = !isTaken && (await processOf(client, timeoutMs)) !== before;
    await runText(other, "rollback", { timeoutMs });
    return isTaken || hasChanged;
  });
};

/**
 * Throws if a connection leads through a pooler in transaction mode: its server process changes, or another connection
 * has the same one in a transaction. LISTEN must not be tried there, because the process would go on listening for
 * nobody, and the pooler logs a warning of each notification that it gets.
 */
export const assertOwnProcess = async (
  client: ClientBase,
  withClient: WithClient,
  timeoutMs: number,
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isShared(client, withClient, timeoutMs))
      throw new Unheard("a pooler in transaction mode gives the connection's process to others");
  }
};
