import { StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, untilAvailable } from "../../test/eventually.ts";
import { runOnce, takeTestSchema, testPostgresUrl, unhurried } from "../../test/open-test-storage.ts";
import { createTcpProxy, type TcpProxy } from "../../test/tcp-proxy.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import type { PostgresStorageOptions } from "../postgres-storage-options.ts";

let proxy: TcpProxy;
let connectionString = "";
beforeEach(async () => {
  connectionString = await testPostgresUrl();
  proxy = await createTcpProxy(connectionString);
});
afterEach(() => proxy.close());

// Statistics are not looked at: after a slow answer that would hold the only connection when the network fails.
const timeouts = { connect: 1_000, query: 1_000, listenCheck: 200, slow: Number.POSITIVE_INFINITY };

const openThroughProxy = async (options: PostgresStorageOptions = {}) => {
  const { schema, giveBack } = await takeTestSchema();
  const direct = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const storage = await untilAvailable(() =>
    createPostgresStorage({
      ...(options.pool ? {} : { connectionString: proxy.urlFor(connectionString) }),
      schema,
      timeouts,
      ...options,
    }),
  );
  await untilAvailable(() => storage.ping());
  const close = async () => {
    await storage.close();
    await direct.close();
    await giveBack();
  };
  return { storage, direct, close };
};

test("a half-open connection is given up, and replaced", async () => {
  const { storage, close } = await openThroughProxy({ max: 1 });
  proxy.blackhole();
  await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable);
  // A new connection can't be opened either.
  await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable);
  proxy.heal();
  await untilAvailable(() => storage.ping());
  await close();
});

test("a half-open connection of the host's pool is not returned to it", async () => {
  const pool = new pg.Pool({ connectionString: proxy.urlFor(connectionString), max: 1 });
  pool.on("error", () => {});
  const { storage, close } = await openThroughProxy({ pool });
  proxy.blackhole();
  await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable);
  proxy.heal();
  await untilAvailable(() => storage.ping());
  await close();
  await pool.end();
});

test("a transaction on a half-open connection rejects, and is not committed", async () => {
  const { storage, direct, close } = await openThroughProxy();
  const lost = storage.transaction(async ({ workspaces }) => {
    await workspaces.insert({ name: "never", createdAt: 1 });
    proxy.blackhole();
    await workspaces.insert({ name: "nor this", createdAt: 1 });
  });
  await expect(lost).rejects.toBeInstanceOf(StorageUnavailable);
  expect((await direct.workspaces.list({ q: undefined }, { offset: 0, limit: 10 })).total).toBe(0);
  proxy.close();
  await close();
});

test("a connection cut after COMMIT was sent is no success, and the transaction is not run again", async () => {
  const { storage, direct, close } = await openThroughProxy({ timeouts: unhurried });
  let runs = 0;
  const inDoubt = storage.transaction(async ({ workspaces }) => {
    runs += 1;
    await workspaces.insert({ name: "in doubt", createdAt: 1 });
    proxy.cutAfter(/commit\0/);
  });
  await expect(inDoubt).rejects.toBeInstanceOf(StorageUnavailable);
  expect(runs).toBe(1);
  // It was committed: the retry of the request learns that from the caller's idempotency key.
  expect((await direct.workspaces.list({ q: undefined }, { offset: 0, limit: 10 })).total).toBe(1);
  await expect(storage.ping()).resolves.toBeUndefined();
  await close();
});

test("a half-open listening connection is detected, and replaced by polling", async () => {
  const { storage, close } = await openThroughProxy();
  let notifier = 0;
  storage.subscribe(() => {
    notifier += 1;
  });
  await eventually(() => notifier >= 3);
  proxy.blackhole();
  notifier = 0;
  await eventually(() => notifier >= 6);
  proxy.heal();
  await close();
});

const event = {
  category: "system" as const,
  type: "t",
  workspaceId: undefined,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message: "",
  metadata: "{}",
  createdAt: 1,
};

test("begin and bulk inserts are not waited for, and their loss is reported by the commit", async () => {
  const { storage, direct, close } = await openThroughProxy({ max: 1 });
  proxy.blackhole();
  let steps = 0;
  const lost = storage.transaction(async ({ events }) => {
    for (; steps < 3; steps += 1) await events.append([event]);
  });
  await expect(lost).rejects.toBeInstanceOf(StorageUnavailable);
  expect(steps).toBe(3);
  expect((await direct.events.listAfter(0, { workspaceId: "all" }, 10)).events).toEqual([]);
  proxy.heal();
  await close();
});

test("a failed bulk insert rejects the next awaited statement with its own error, and leaves nothing", async () => {
  const { storage, close } = await openThroughProxy({ timeouts: unhurried });
  const fails = (wait: (workspaces: typeof storage.workspaces) => Promise<unknown>) =>
    storage.transaction(async ({ events, workspaces }) => {
      await events.append([event, { ...event, category: null as unknown as "system" }]);
      await events.append([event]);
      await wait(workspaces);
    });
  await expect(fails((workspaces) => workspaces.find(1))).rejects.toThrow("null value in column");
  await expect(fails(async () => {})).rejects.toThrow("null value in column");
  const isAborted = "select 1 from pg_stat_activity where state = 'idle in transaction (aborted)'";
  const untilAborted = () => eventually(async () => (await runOnce(connectionString, isAborted)).length > 0);
  await expect(fails(untilAborted)).rejects.toThrow("null value in column");
  expect((await storage.events.listAfter(0, { workspaceId: "all" }, 10)).events).toEqual([]);
  await close();
});
