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

/** A connection to the worker's server that stays: what it knows of the tables, and the statements it has planned, serve every test. */
let upkeep: { url: string; client: Promise<pg.Client> } | undefined;
const upkeepOf = (url: string): Promise<pg.Client> => {
  if (upkeep?.url === url) return upkeep.client;
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {
      if (upkeep?.client === connecting) upkeep = undefined;
    });
    await client.connect();
    // Without triggers, those of foreign keys included: the order is all the same.
    await client.query("set session_replication_role = replica");
    // The types lack it: a worker with nothing else to do may end.
    (client as typeof client & { unref(): void }).unref();
    return client;
  };
  const connecting = connect();
  upkeep = { url, client: connecting };
  return connecting;
};

/** By schema, what asks for the names of its tables that have rows. That of the migrations is none of them. */
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

/** Waits for what a storage's connections, which are named after its schema, have under way. */
const underWayEnds = async (connectionString: string, schema: string): Promise<void> => {
  const client = await upkeepOf(connectionString);
  const text = "select 1 from pg_stat_activity where application_name = $1 and state <> 'idle'";
  const look = { name: "under way", text, values: [schema] };
  while ((await client.query(look)).rows.length > 0) await delay(1);
};

/** Empties every table but that of the migrations. Ids go on: what is kept of old ones in a process is good for none to come. */
const emptySchema = async (connectionString: string, schema: string): Promise<void> => {
  const client = await upkeepOf(connectionString);
  const text = await lookingText(client, schema);
  const { rows } = await client.query<{ name: string }>({ name: schema, text });
  if (rows.length > 0)
    await client.query(rows.map(({ name }) => `delete from "${schema}"."${name}"`).join("; "));
};

type TestStorage = Storage<PostgresTransaction>;
type TestOptions = Omit<PostgresStorageOptions, "schema">;

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

/** Remembers how a storage's rows are read. */
const readable = (connectionString: string, schema: string, storage: TestStorage): TestStorage => {
  let text: Promise<string> | undefined;
  readingTexts.set(storage, () => (text ??= readingText(connectionString, schema)));
  return storage;
};

/** Empty schemas, and open storages on empty ones, that may be used again. */
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

/**
 * A migrated, empty storage in a schema that nobody else uses while it is open. One without options stays open when it is closed, and is
 * lent again: its connections have planned their statements. On a server that is given nothing stays behind; nor may the role there empty
 * it as a superuser does.
 */
export const openTestPostgres = async (options?: TestOptions): Promise<TestStorage> => {
  const connectionString = await testPostgresUrl();
  const isGiven = process.env["TEST_POSTGRES_URL"] !== undefined;
  if (options === undefined && !isGiven) {
    const lent = usedStorages.pop() ?? (await openOnSchema(connectionString, {}));
    const takeBack = async (): Promise<void> => {
      await underWayEnds(connectionString, lent.schema);
      await emptySchema(connectionString, lent.schema);
      usedStorages.push(lent);
    };
    return readable(connectionString, lent.schema, lendStorage(lent.storage, takeBack));
  }
  const { schema, storage } = await openOnSchema(connectionString, options ?? {});
  const opened: TestStorage = {
    ...storage,
    async close() {
      await storage.close();
      if (isGiven) return void (await runOnce(connectionString, `drop schema "${schema}" cascade`));
      await emptySchema(connectionString, schema);
      usedSchemas.push(schema);
    },
  };
  return readable(connectionString, schema, opened);
};
