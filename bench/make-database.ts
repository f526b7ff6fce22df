import pg from "pg";

/** Creates a new database on the server; returns its URL. */
export async function makeDatabase(server: string, suffix: string): Promise<string> {
  const name = `bench_${process.pid}_${suffix}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
