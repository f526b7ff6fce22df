import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "@posthorn/core/storage";
import pg from "pg";
import { inject } from "vitest";
import { lendStorage } from "../../storage-sql/test/lend-storage.ts";
import {
  createPostgresStorage,
  type PostgresStorageOptions,
  type PostgresTransaction,
} from "../src/index.ts";
// For the type of the provided value.
import type {} from "./global-setup.ts";

const ask = async (name: string, method: "GET" | "POST"): Promise<string> => {
  const response = await fetch(`${inject("postgresStarter")}/${name}`, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
};

/**
 * Returns the connection string of a PostgreSQL for this test file: `TEST_POSTGRES_URL`, or one that starts at the
 * first call. Test files that run at the same time never share one, because any transaction on a server holds back the
 * event stream.
 */
export const testPostgresUrl = async (): Promise<string> =>
  process.env["TEST_POSTGRES_URL"] ?? ask(`worker-${process.env["VITEST_POOL_ID"] ?? 0}`, "GET");

/** A server used by this test alone, with a function that crashes and restarts it. */
export const ownTestServer = async (): Promise<{ connectionString: string; restart(): Promise<void> }> => {
  const name = `own-${randomUUID()}`;
  return {
    connectionString: await ask(name, "GET"),
    restart: async () => {
      await ask(name, "POST");
    },
  };
};

/** Returns the connection string with additional connection parameters, such as `application_name`. */
export const withParameters = (connectionString: string, parameters: Record<string, string>): string => {
  const url = new URL(connectionString);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href.replaceAll("+", "%20");
};

export const newSchema = (): string => `t_${randomUUID().replaceAll("-", "")}`;

/** Runs one statement on a separate connection. */
export const runOnce = async (connectionString: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

/** A permanent connection to the worker's server: its cached tables and planned statements serve every test. */
let upkeep: { url: string; client: Promise<pg.Client> } | undefined;
const upkeepOf = (url: string): Promise<pg.Client> => {
  if (upkeep?.url === url) return upkeep.client;
  const connect = async (): Promise<pg.Client> => {
    // Storages that close at the same time ask at the same time: without a pipeline, pg warns of it.
    const client = new pg.Client({ connectionString: url, pipeline: true });
    client.on("error", () => {
      if (upkeep?.client === connecting) upkeep = undefined;
    });
    await client.connect();
    // Without triggers, including those of foreign keys, the order does not matter.
    await client.query("set session_replication_role = replica");
    // Missing in the types: lets an otherwise idle worker end.
    (client as typeof client & { unref(): void }).unref();
    return client;
  };
  const connecting = connect();
  upkeep = { url, client: connecting };
  return connecting;
};

/** By schema, the statement that returns the names of its tables with rows, except that of the migrations. */
const lookingTexts = new Map<string, string>();

const lookingText = async (client: pg.Client, schema: string): Promise<string> => {
  const known = lookingTexts.get(schema);
  if (known !== undefined) return known;
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = $1 and tablename <> 'schema_migrations'",
    [schema],
  );
  const looks = rows.map(
    ({ name }) => `select '${name}' as name where exists (select 1 from "${schema}"."${name}")`,
  );
  const text = looks.join(" union all ");
  lookingTexts.set(schema, text);
  return text;
};

/** Waits for statements in progress on a storage's connections, which are named after its schema. */
const underWayEnds = async (connectionString: string, schema: string): Promise<void> => {
  const client = await upkeepOf(connectionString);
  const text = "select 1 from pg_stat_activity where application_name = $1 and state <> 'idle'";
  const look = { name: "under way", text, values: [schema] };
  while ((await client.query(look)).rows.length > 0) await delay(1);
};

/**
 * Empties every table except that of the migrations. Ids continue: values that a process caches by old ids never match
 * new ones.
 */
const emptySchema = async (connectionString: string, schema: string): Promise<void> => {
  const client = await upkeepOf(connectionString);
  const text = await lookingText(client, schema);
  const { rows } = await client.query<{ name: string }>({ name: schema, text });
  if (rows.length > 0)
    await client.query(rows.map(({ name }) => `delete from "${schema}"."${name}"`).join("; "));
};

type TestStorage = Storage<PostgresTransaction>;
type TestOptions = Omit<PostgresStorageOptions, "schema">;

/** Time-outs for tests in which none may end a statement or cause another, however busy the machine is. */
export const unhurried = {
  connect: 30_000,
  turn: 30_000,
  statement: 30_000,
  lock: 20_000,
  idleInTransaction: 30_000,
  query: 40_000,
  slow: Number.POSITIVE_INFINITY,
};

/** Whether the server is an explicitly given one, on which nothing remains. */
export const isGiven = (): boolean => process.env["TEST_POSTGRES_URL"] !== undefined;

/** The schemas of the storages that were opened here. */
const schemas = new WeakMap<object, string>();

/** By schema, the statement that reads all its rows. */
const readingTexts = new Map<string, string>();

const readingText = async (connectionString: string, schema: string): Promise<string> => {
  const known = readingTexts.get(schema);
  if (known !== undefined) return known;
  const tables = await runOnce(
    connectionString,
    `select tablename as name from pg_tables where schemaname = '${schema}'`,
  );
  const text = tables
    .map(({ name }) => `select '${name} ' || to_jsonb(one)::text as line from "${schema}"."${name}" one`)
    .join(" union all ");
  readingTexts.set(schema, text);
  return text;
};

/** Returns every row of every table, as text, of a storage that was opened here. */
export const rowsOf = async (storage: object): Promise<string[]> => {
  const schema = schemas.get(storage);
  if (schema === undefined) throw new Error("the storage was not opened here");
  const connectionString = await testPostgresUrl();
  const text = await readingText(connectionString, schema);
  // Planned once, as it reads all tables.
  const rows = isGiven()
    ? await runOnce(connectionString, text)
    : (await (await upkeepOf(connectionString)).query({ name: `rows of ${schema}`, text })).rows;
  return rows.map(({ line }) => String(line));
};

/** Empty schemas, and open storages on empty ones, for reuse. */
const usedSchemas: string[] = [];
const usedStorages: { schema: string; storage: TestStorage }[] = [];

const openOnSchema = async (
  connectionString: string,
  options: TestOptions,
): Promise<{ schema: string; storage: TestStorage }> => {
  const used = usedSchemas.pop();
  const schema = used ?? newSchema();
  const storage = await createPostgresStorage({
    ...(options.pool
      ? {}
      : { connectionString: withParameters(connectionString, { application_name: schema }) }),
    timeouts: unhurried,
    ...options,
    schema,
  });
  if (used === undefined) await storage.migrate();
  return { schema, storage };
};

/** On an explicitly given server nothing remains, and its role may not empty tables as a superuser does. */
const giveSchemaBack = async (connectionString: string, schema: string): Promise<void> => {
  if (isGiven()) return void (await runOnce(connectionString, `drop schema "${schema}" cascade`));
  await emptySchema(connectionString, schema);
  usedSchemas.push(schema);
};

/** A migrated schema lent to a test. */
export interface TestSchema {
  connectionString: string;
  schema: string;
  giveBack(): Promise<void>;
}

/**
 * Takes a migrated, empty schema, for a test that opens storages itself, and gives it back once they are closed: ten
 * times faster than a new one. A test that changes its tables must drop it instead.
 */
export const takeTestSchema = async (): Promise<TestSchema> => {
  const connectionString = await testPostgresUrl();
  const take = async (): Promise<string> => {
    const { schema, storage } = await openOnSchema(connectionString, {});
    await storage.close();
    return schema;
  };
  const schema = usedSchemas.pop() ?? (await take());
  return { connectionString, schema, giveBack: () => giveSchemaBack(connectionString, schema) };
};

/**
 * Opens a migrated, empty storage in a schema used by one test at a time. A storage without options stays open when it
 * is closed, and is lent again, because its connections have planned their statements.
 */
export const openTestPostgres = async (options?: TestOptions): Promise<TestStorage> => {
  const connectionString = await testPostgresUrl();
  if (options === undefined && !isGiven()) {
    const lent = usedStorages.pop() ?? (await openOnSchema(connectionString, {}));
    const takeBack = async (): Promise<void> => {
      await underWayEnds(connectionString, lent.schema);
      await emptySchema(connectionString, lent.schema);
      usedStorages.push(lent);
    };
    const storage = lendStorage(lent.storage, takeBack);
    schemas.set(storage, lent.schema);
    return storage;
  }
  const { schema, storage } = await openOnSchema(connectionString, options ?? {});
  const opened: TestStorage = {
    ...storage,
    async close() {
      await storage.close();
      await giveSchemaBack(connectionString, schema);
    },
  };
  schemas.set(opened, schema);
  return opened;
};
