import type { ClientBase } from "pg";
import type { TimedQuery } from "./run-query.ts";

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

/**
 * Throws if a connection leads through a pooler in transaction mode: while another connection is in a transaction, that
 * one has the same server process, or this one has changed to another. LISTEN must not be tried there, because the
 * process would go on listening for nobody, and the pooler logs a warning of each notification that it gets.
 */
export const assertOwnProcess = async (
  client: ClientBase,
  withClient: WithClient,
  timeoutMs: number,
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await processOf(client, timeoutMs);
    const isShared = await withClient(async (other) => {
      await other.query("begin");
      try {
        return (
          (await processOf(other, timeoutMs)) === before || (await processOf(client, timeoutMs)) !== before
        );
      } finally {
        await other.query("rollback");
      }
    });
    if (isShared) throw new Unheard("a pooler in transaction mode gives the connection's process to others");
  }
};
