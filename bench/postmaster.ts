import { readFileSync } from "node:fs";
import pg from "pg";

/** Returns the process id of the PostgreSQL server's main process; `undefined` if it runs on another machine. */
export async function findPostmaster(connectionString: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    // As in `process-usage.ts`: after the name follow the state and the parent (proc_pid_stat(5)).
    const [, rest = ""] = readFileSync(`/proc/${rows[0]?.pid}/stat`, "utf8").split(/ \(postgres\) /);
    return Number(rest.split(" ")[1]) || undefined;
  } catch {
    return undefined;
  } finally {
    await client.end();
  }
}
