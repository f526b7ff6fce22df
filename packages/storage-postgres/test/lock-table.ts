import pg from "pg";
import { testPostgresUrl } from "./open-test-storage.ts";

/** Locks a table as an operator's `alter table` does, until the returned function is called. */
export const lockTable = async (table: string): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  await client.query(`begin; lock table ${table}`);
  return () => client.end();
};
