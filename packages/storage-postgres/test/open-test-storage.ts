import { randomUUID } from "node:crypto";
import type { Storage } from "@posthorn/core/storage";
import pg from "pg";
import { inject } from "vitest";
import {
  createPostgresStorage,
  type PostgresStorageOptions,
  type PostgresTransaction,
} from "../src/index.ts";
// For the type of what it provides.
import type {} from "./global-setup.ts";

const ask = async (name: string, method: "GET" | "POST"): Promise<string> => {
  const response = await fetch(`${inject("postgresStarter")}/${name}`, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
};

/**
 * The connection string of a PostgreSQL for this test file: `TEST_POSTGRES_URL`, or one that starts at the first call. No test file
 * shares it with another that runs at the same time: a transaction anywhere on a server holds back the event stream.
 */
export const testPostgresUrl = async (): Promise<string> =>
  process.env["TEST_POSTGRES_URL"] ?? ask(`worker-${process.env["VITEST_POOL_ID"] ?? 0}`, "GET");

/** A server that nobody else uses, and how to crash and restart it. */
export const ownTestServer = async (): Promise<{ connectionString: string; restart(): Promise<void> }> => {
  const name = `own-${randomUUID()}`;
  return {
    connectionString: await ask(name, "GET"),
    restart: async () => {
      await ask(name, "POST");
    },
  };
};

/** The connection string with parameters of a connection, such as `application_name`. */
export const withParameters = (connectionString: string, parameters: Record<string, string>): string => {
  const url = new URL(connectionString);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href.replaceAll("+", "%20");
};

export const newSchema = (): string => `t_${randomUUID().replaceAll("-", "")}`;

/** Runs one statement on a connection of its own. */
export const runOnce = async (connectionString: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

/** Schemas that may be used again, with the text that empties each. */
const usedSchemas: { schema: string; emptying: string }[] = [];

/** Empties every table but that of the migrations. Thirty times quicker than to drop the schema and migrate another. */
const emptyingText = async (connectionString: string, schema: string): Promise<string> => {
  const relations = await runOnce(
    connectionString,
    `select relname as name, relkind as kind from pg_class where relnamespace = '${schema}'::regnamespace
      and relkind in ('r', 'S') and relname <> 'schema_migrations'`,
  );
  return [
    "begin",
    // Without triggers, those of foreign keys included: the order is all the same.
    "set local session_replication_role = replica",
    ...relations.map(({ name, kind }) =>
      kind === "r" ? `delete from "${schema}"."${name}"` : `select setval('"${schema}"."${name}"', 1, false)`,
    ),
    "commit",
  ].join("; ");
};

/** Time-outs for what no time-out is to end: what is right has time, however busy the machine is. */
export const unhurried = {
  connect: 30_000,
  turn: 30_000,
  statement: 30_000,
  lock: 20_000,
  idleInTransaction: 30_000,
  query: 40_000,
};

/** By storage, the text that reads all its rows. */
const readingTexts = new WeakMap<object, () => Promise<string>>();

const readingText = async (connectionString: string, schema: string): Promise<string> => {
  const tables = await runOnce(
    connectionString,
    `select tablename as name from pg_tables where schemaname = '${schema}'`,
  );
  return tables
    .map(({ name }) => `select '${name} ' || to_jsonb(one)::text as line from "${schema}"."${name}" one`)
    .join(" union all ");
};

/** Every row of every table of a storage that was opened here, as text. */
export const rowsOf = async (storage: object): Promise<string[]> => {
  const text = await readingTexts.get(storage)?.();
  if (text === undefined) throw new Error("the storage was not opened here");
  return (await runOnce(await testPostgresUrl(), text)).map(({ line }) => String(line));
};

/** A migrated, empty storage in a schema that nobody else uses while it is open. */
export const openTestPostgres = async (
  options: Omit<PostgresStorageOptions, "schema"> = {},
): Promise<Storage<PostgresTransaction>> => {
  const connectionString = await testPostgresUrl();
  const used = usedSchemas.pop();
  const schema = used?.schema ?? newSchema();
  const storage = await createPostgresStorage({
    ...(options.pool ? {} : { connectionString }),
    timeouts: unhurried,
    ...options,
    schema,
  });
  if (used === undefined) await storage.migrate();
  const emptying = used?.emptying ?? (await emptyingText(connectionString, schema));
  const opened: Storage<PostgresTransaction> = {
    ...storage,
    async close() {
      await storage.close();
      // Emptying takes a superuser, which the role on a given server may not be; and there nothing is to stay behind.
      if (process.env["TEST_POSTGRES_URL"] !== undefined)
        return void (await runOnce(connectionString, `drop schema "${schema}" cascade`));
      await runOnce(connectionString, emptying);
      usedSchemas.push({ schema, emptying });
    },
  };
  let text: Promise<string> | undefined;
  readingTexts.set(opened, () => (text ??= readingText(connectionString, schema)));
  return opened;
};
