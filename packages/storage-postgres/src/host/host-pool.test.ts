import { UniqueViolation } from "@posthorn/core/storage";
import { createFixedClock, createWorld } from "@posthorn/core/testing";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  newSchema,
  openTestPostgres,
  takeTestSchema,
  testPostgresUrl,
  unhurried,
  withParameters,
} from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

let connectionString = "";
let pool: pg.Pool;
beforeEach(async () => {
  connectionString = await testPostgresUrl();
  pool = new pg.Pool({ connectionString, max: 1 });
});
afterEach(() => pool.end());

const list = { q: undefined };
const slice = { offset: 0, limit: 10 };

test("closing the storage leaves a host's pool unchanged, and open", async () => {
  const before = { ...pool.options };
  const listeners = pool.listenerCount("error");
  const settings =
    "select name, setting from pg_settings where source not in ('override', 'client') order by name";
  const { rows } = await pool.query(settings);
  const storage = await openTestPostgres({ pool });
  await storage.transaction(async ({ workspaces }) => {
    await workspaces.insert({ name: "Acme", createdAt: 1 });
  });
  // Its transactions have time limits, too.
  const bounds = await sideOf(storage)
    .db.transaction()
    .execute(
      async (tx) =>
        (await sql<{ lock: string }>`select current_setting('lock_timeout') as lock`.execute(tx)).rows,
    );
  expect(bounds).toEqual([{ lock: `${unhurried.lock / 1_000}s` }]);
  await storage.close();
  expect(pool.options).toEqual(before);
  expect(pool.listenerCount("error")).toBe(listeners);
  expect((await pool.query(settings)).rows).toEqual(rows);
  expect((await pool.query("select * from pg_prepared_statements")).rows).toEqual([]);
  expect((await pool.query("select 1::bigint as one")).rows).toEqual([{ one: "1" }]);
  expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0]);
});

test("the host's own type parsers do not affect the storage", async () => {
  const types = { getTypeParser: () => () => "the host's" } as unknown as pg.CustomTypesConfig;
  const own = new pg.Pool({ connectionString, max: 1, types });
  const storage = await openTestPostgres({ pool: own });
  const workspace = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  expect(await storage.workspaces.find(workspace.id)).toEqual(workspace);
  expect(typeof workspace.id).toBe("number");
  expect((await own.query("select 1 as one")).rows).toEqual([{ one: "the host's" }]);
  await storage.close();
  await own.end();
});

test("nothing depends on the server process: each statement and transaction may have another", async () => {
  const own = new pg.Pool({ connectionString, max: 2, maxUses: 1 });
  const storage = await openTestPostgres({ pool: own });
  const workspace = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  await storage.transaction(async ({ workspaces }) => {
    await workspaces.update(workspace.id, { name: "Apex", updatedAt: 2 });
  });
  expect((await storage.workspaces.find(workspace.id))?.name).toBe("Apex");
  await storage.close();
  await own.end();
});

test("within the host's transaction, everything commits or rolls back with it", async () => {
  const storage = await openTestPostgres();
  const host = await pool.connect();
  await host.query("begin");
  await storage.within(host).workspaces.insert({ name: "vanishes", createdAt: 1 });
  await host.query("rollback");
  await host.query("begin");
  const { id } = await storage.within(host).workspaces.insert({ name: "stays", createdAt: 1 });
  expect(await storage.workspaces.find(id)).toBeUndefined();
  await host.query("commit");
  expect((await storage.workspaces.list(list, slice)).items.map(({ name }) => name)).toEqual(["stays"]);
  host.release();
  await storage.close();
});

test("within the host's transaction, several of our statements are atomic", async () => {
  const storage = await openTestPostgres();
  const host = await pool.connect();
  await host.query("begin");
  const { usage } = storage.within(host);
  const request = {
    workspaceId: (await storage.within(host).workspaces.insert({ name: "Acme", createdAt: 1 })).id,
    recipients: 1,
    hour: { start: 0, limit: 5 },
    day: { start: 0, limit: 0 },
  };
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => usage.reserve([request])));
  expect(outcomes.flat().filter(({ allowed }) => allowed)).toHaveLength(5);
  await host.query("commit");
  expect(await storage.usage.find(request.workspaceId, 0, 0)).toEqual({ hour: 5, day: 5 });
  host.release();
  await storage.close();
});

test("a service's first call, on the host's only connection, goes by the database's clock", async () => {
  const storage = await openTestPostgres({ pool });
  const { id: workspaceId } = await (await createWorld(storage)).addWorkspace();
  const now = await storage.now();
  const clock = createFixedClock(now + 24 * 3_600_000);
  const { posthorn, close } = await createWorld(storage, { databaseClock: "own", clock });
  const transaction = await pool.connect();
  await transaction.query("begin");
  const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };
  const { createdAt } = await posthorn.emails.send(mail, { workspaceId, transaction });
  await transaction.query("rollback");
  transaction.release();
  expect(Math.abs(createdAt - now)).toBeLessThan(3_600_000);
  await close();
});

test("within requires an open transaction, and detects its end", async () => {
  const storage = await openTestPostgres();
  const host = await pool.connect();
  expect(() => storage.within(host)).toThrow(TypeError);
  expect(() => storage.within(undefined as never)).toThrow(TypeError);
  await host.query("begin");
  const repositories = storage.within(host);
  await host.query("commit");
  await expect(repositories.workspaces.insert({ name: "late", createdAt: 1 })).rejects.toThrow("has ended");
  host.release();
  await storage.close();
});

test("a name that exists is reported by the port's error within the host's transaction", async () => {
  const storage = await openTestPostgres();
  const user = {
    name: "Ann",
    email: "ann@example.com",
    passwordHash: "!",
    emailVerifiedAt: undefined,
    isAdmin: false,
    createdAt: 1,
  };
  await storage.users.insert(user);
  const host = await pool.connect();
  await host.query("begin");
  const taken = storage.within(host).users.insert(user);
  await expect(taken).rejects.toThrow(UniqueViolation);
  await expect(taken).rejects.toMatchObject({ constraint: "users.email" });
  await host.query("rollback");
  host.release();
  await storage.close();
});

test("warns of a server that may lose commits, and refuses an unknown schema", async () => {
  const warnings: { setting?: unknown }[] = [];
  const ignore = () => {};
  const logger = {
    debug: ignore,
    info: ignore,
    warn: (fields: object) => void warnings.push(fields),
    error: ignore,
  };
  // Our own connections set it.
  const pool = new pg.Pool({
    connectionString: withParameters(connectionString, { options: "-c synchronous_commit=off" }),
  });
  const storage = await createPostgresStorage({ pool, logger, timeouts: unhurried });
  await storage.close();
  await pool.end();
  // A server given for tests may lack the other settings, which no connection can set.
  const ofCommits = () => warnings.filter(({ setting }) => setting === "synchronous_commit");
  const unsafe = { setting: "synchronous_commit", value: "off" };
  expect(ofCommits()).toEqual([unsafe]);
  const safe = await createPostgresStorage({
    connectionString: withParameters(connectionString, { options: "-c synchronous_commit=off" }),
    logger,
    schema: newSchema(),
    timeouts: unhurried,
  });
  await safe.close();
  expect(ofCommits()).toEqual([unsafe]);
  await expect(
    createPostgresStorage({ connectionString, schema: 'a"; drop', timeouts: unhurried }),
  ).rejects.toThrow(TypeError);
  await expect(createPostgresStorage({})).rejects.toThrow(TypeError);
});

test("a NUL is stored as a replacement for unreadable text, alone and among many", async () => {
  const storage = await openTestPostgres();
  const { id } = await storage.workspaces.insert({ name: "a\0b", createdAt: 1 });
  expect((await storage.workspaces.find(id))?.name).toBe("a\ufffdb");
  const event = {
    category: "system" as const,
    type: "t",
    workspaceId: id,
    userId: undefined,
    actorId: undefined,
  };
  const words = { actorName: "", clientIp: "", metadata: "{}", createdAt: 1 };
  await storage.events.append(["a\0", "b"].map((message) => ({ ...event, ...words, message })));
  const { events } = await storage.events.listAfter(0, { workspaceId: "all" }, 10);
  expect(events.map(({ message }) => message)).toEqual(["a\ufffd", "b"]);
  await storage.close();
});

test("works under a stricter default isolation", async () => {
  const strict = new pg.Pool({ connectionString, options: "-c default_transaction_isolation=serializable" });
  const storage = await openTestPostgres({ pool: strict });
  const { id } = await storage.workspaces.insert({ name: "0", createdAt: 1 });
  let runs = 0;
  const count = () =>
    storage.transaction(async ({ workspaces }) => {
      runs += 1;
      const workspace = await workspaces.lock(id);
      await workspaces.update(id, { name: String(Number(workspace?.name) + 1), updatedAt: 2 });
    });
  await Promise.all(Array.from({ length: 8 }, count));
  expect((await storage.workspaces.find(id))?.name).toBe("8");
  expect(runs).toBe(8);
  await storage.close();
  await strict.end();
});

test("a closed storage says so, and closing again is harmless", async () => {
  const { schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  await Promise.all([storage.close(), storage.close()]);
  await expect(storage.ping()).rejects.toThrow("closed");
  await storage.notify(["emails"]);
  await giveBack();
});

test("closing the storage waits for a look at the statistics on a host's pool", async () => {
  const own = new pg.Pool({ connectionString });
  const looks = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  own.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const slowed = async (...args: unknown[]): Promise<unknown> => {
      if (JSON.stringify(args).includes("pg_stat_get_live_tuples")) {
        looks.resolve();
        await mayAnswer.promise;
      }
      return query(...args);
    };
    Object.assign(client, { query: slowed });
  });
  const schema = await newSchema();
  const storage = await createPostgresStorage({ pool: own, schema, timeouts: { ...unhurried, slow: 0 } });
  await looks.promise;
  const used = storage.close().then(() => own.totalCount - own.idleCount);
  for (let turn = 0; turn < 5; turn += 1) await pool.query("select 1");
  mayAnswer.resolve();
  expect(await used).toBe(0);
  await own.end();
});

test("a host's pool gets no assumptions, nor does a pooler", async () => {
  const within = await createPostgresStorage({ pool, timeouts: unhurried });
  const behind = await createPostgresStorage({
    connectionString,
    transactionPooler: true,
    timeouts: unhurried,
  });
  expect([within.assume, behind.assume]).toEqual([undefined, undefined]);
  for (const each of [within, behind]) await each.close();
});
