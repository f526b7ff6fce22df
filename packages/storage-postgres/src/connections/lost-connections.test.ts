import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { expect, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import {
  newSchema,
  ownTestServer,
  runOnce,
  type TestSchema,
  takeTestSchema,
  testPostgresUrl,
  unhurried,
  withParameters,
} from "../../test/open-test-storage.ts";
import { createRecordingLogger } from "../../test/recording-logger.ts";
import { createTcpProxy } from "../../test/tcp-proxy.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import type { PostgresStorageOptions } from "../postgres-storage-options.ts";

const openNamed = async (
  { connectionString, schema, giveBack }: TestSchema,
  options: PostgresStorageOptions = {},
) => {
  const logger = createRecordingLogger();
  const storage = await createPostgresStorage({
    ...(options.pool === undefined && {
      connectionString: withParameters(connectionString, { application_name: schema }),
    }),
    schema,
    logger,
    timeouts: unhurried,
    ...options,
  });
  const terminate = () =>
    runOnce(
      connectionString,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${schema}'`,
    );
  const answers = () =>
    storage.ping().then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(StorageUnavailable);
        return false;
      },
    );
  const close = async () => {
    await storage.close();
    await giveBack();
  };
  return { storage, schema, logger, terminate, answers, close };
};

test("idle connections that the server closes are a line in the log, however many they are", async () => {
  const { storage, logger, terminate, answers, close } = await openNamed(await takeTestSchema());
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([storage.ping(), storage.ping(), storage.ping()]);
    await terminate();
    await eventually(answers);
  }
  await eventually(() => logger.warnings.some(({ message }) => message.includes("idle connection")));
  const lines = logger.warnings.map(({ message, fields }) =>
    [message, String(Object(fields).err?.message)].join(": "),
  );
  expect(lines).toEqual([...new Set(lines)]);
  await close();
});

test("a host's pool that was ended is lost for good", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const pool = new pg.Pool({ connectionString });
  const storage = await createPostgresStorage({ pool, schema });
  await pool.end();
  await expect(storage.ping()).rejects.toMatchObject({ name: "StorageUnavailable", isFinal: true });
  await storage.close();
  await giveBack();
});

test("a transaction whose connection the server closes between two statements leaves nothing", async () => {
  const { storage, terminate, answers, close } = await openNamed(await takeTestSchema());
  let runs = 0;
  const lost = storage.transaction(async ({ workspaces }) => {
    runs += 1;
    await workspaces.insert({ name: "never", createdAt: 1 });
    await terminate();
    await workspaces.insert({ name: "nor this", createdAt: 1 });
  });
  await expect(lost).rejects.toBeInstanceOf(StorageUnavailable);
  expect(runs).toBe(1);
  // A list may get another of the pool's connections, whose end this process has not read yet.
  let total: number | undefined;
  await eventually(async () => {
    if (!(await answers())) return false;
    total = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 }).then(
      (page) => page.total,
      (error: unknown) => {
        expect(error).toBeInstanceOf(StorageUnavailable);
        return undefined;
      },
    );
    return total !== undefined;
  });
  expect(total).toBe(0);
  await close();
});

test("a statement whose connection the server closes rejects", async () => {
  const taken = await takeTestSchema();
  const { connectionString } = taken;
  const { storage, schema, terminate, answers, close } = await openNamed(taken);
  const { id } = await storage.workspaces.insert({ name: "held", createdAt: 1 });
  const host = new pg.Client({ connectionString });
  await host.connect();
  await host.query(`begin; select * from "${schema}".workspaces for update`);
  const waiting = storage.workspaces
    .update(id, { name: "changed", updatedAt: 2 })
    .catch((error: unknown) => error);
  await eventually(async () => {
    const blocked = await runOnce(
      connectionString,
      `select 1 from pg_stat_activity where application_name = '${schema}' and wait_event_type = 'Lock'`,
    );
    return blocked.length > 0;
  });
  await terminate();
  expect(await waiting).toBeInstanceOf(StorageUnavailable);
  await host.end();
  await eventually(answers);
  expect((await storage.workspaces.find(id))?.name).toBe("held");
  await close();
});

test("a server that crashes and restarts is unavailable for a moment, and commits are there", async () => {
  const server = await ownTestServer();
  const { storage, answers, close } = await openNamed({
    connectionString: server.connectionString,
    schema: newSchema(),
    giveBack: async () => {},
  });
  await storage.migrate();
  const { id } = await storage.workspaces.insert({ name: "kept", createdAt: 1 });
  let notifier = 0;
  storage.subscribe(() => {
    notifier += 1;
  });
  const open = storage.transaction(async ({ workspaces }) => {
    await workspaces.insert({ name: "never", createdAt: 1 });
    notifier = 0;
    await server.restart();
  });
  await expect(open).rejects.toBeInstanceOf(StorageUnavailable);
  await eventually(answers);
  expect((await storage.workspaces.find(id))?.name).toBe("kept");
  expect((await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 })).total).toBe(1);
  await eventually(() => notifier > 0);
  await close();
});

test("an unreachable storage can't be opened", async () => {
  const url = new URL(await testPostgresUrl());
  url.port = "1";
  await expect(createPostgresStorage({ connectionString: url.href })).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
});

test("whatever keeps a pool from connecting, such as TLS or a password that can't be had, the storage is unavailable", async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 1, maxUses: 1 });
  pool.on("error", () => {});
  const storage = await createPostgresStorage({ pool });
  pool.options.ssl = true;
  await expect(storage.ping()).rejects.toMatchObject({
    name: "StorageUnavailable",
    isFinal: false,
    message: expect.stringContaining("does not support SSL"),
  });
  pool.options.ssl = false;
  await storage.now();
  await storage.close();
  await pool.end();
});

test("when every connection is in use for too long, the storage is unavailable", async () => {
  const taken = await takeTestSchema();
  const { connectionString } = taken;
  const pool = new pg.Pool({ connectionString, max: 1 });
  // Connected in advance, and not by the storage: only an idle connection is available within so short a time.
  await pool.query("select 1");
  const { storage, close } = await openNamed(taken, { pool, timeouts: { ...unhurried, turn: 50 } });
  const host = await pool.connect();
  const refused = storage.ping();
  await expect(refused).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(refused).rejects.toThrow(
    "all 1 connections of the pool to PostgreSQL were in use, or being opened, for 50 ms; a call inside a transaction of the host's needs that as `transaction`",
  );
  host.release();
  // A client that came too late for the storage was returned to the pool.
  await expect(storage.ping()).resolves.toBeUndefined();
  await close();
  await pool.end();
});

test("callers of one moment that wait for the only idle connection are told that it was in use", async () => {
  const taken = await takeTestSchema();
  const { connectionString } = taken;
  const { storage, close } = await openNamed(taken, {
    connectionString,
    max: 1,
    timeouts: { ...unhurried, turn: 50 },
  });
  await storage.ping();
  const operator = new pg.Client({ connectionString });
  await operator.connect();
  await operator.query(`begin; lock table "${taken.schema}".workspaces`);
  const changes = Array.from({ length: 3 }, () => storage.workspaces.insert({ name: "W", createdAt: 1 }));
  const [first, ...others] = changes;
  for (const other of others)
    await expect(other).rejects.toThrow(
      /^all 1 connections of the pool to PostgreSQL were in use, or being opened, for 50 ms$/,
    );
  await operator.query("rollback");
  await operator.end();
  expect((await first)?.name).toBe("W");
  await close();
});

test("when a host's pool opens no connection in time, the error says so", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const pool = new pg.Pool({ host: "127.0.0.1", port: (silent.address() as AddressInfo).port });
  const opening = createPostgresStorage({ pool, timeouts: { connect: 50 } });
  await expect(opening).rejects.toThrow("no connection to PostgreSQL was opened in time");
  for (const socket of sockets) socket.destroy();
  silent.close();
  await pool.end();
});

test.each([
  ["has no space for its own files", "XX000", "could not write init file"],
  ["lets nobody into the database", "55000", 'database "posthorn" is not currently accepting connections'],
  ["got another password", "28P01", 'password authentication failed for user "posthorn"'],
])("a server that %s is unavailable, whatever it refuses connections by", async (_, code, words) => {
  const taken = await takeTestSchema();
  const refusal = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${words}\0\0`);
  const full = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      const head = Buffer.from("E....");
      head.writeUInt32BE(refusal.length + 4, 1);
      socket.end(Buffer.concat([head, refusal]));
    });
  }).listen(0, "127.0.0.1");
  await once(full, "listening");
  const proxy = await createTcpProxy(taken.connectionString);
  const connectionString = proxy.urlFor(taken.connectionString);
  const { storage, close } = await openNamed({ ...taken, connectionString });
  await storage.ping();
  proxy.leadTo(`postgres://127.0.0.1:${(full.address() as AddressInfo).port}/`);
  for (const call of [
    () => storage.ping(),
    () => storage.workspaces.find(1),
    () => storage.transaction(async () => 1),
  ])
    await expect(call()).rejects.toBeInstanceOf(StorageUnavailable);
  proxy.leadTo(taken.connectionString);
  await eventually(() =>
    storage.ping().then(
      () => true,
      () => false,
    ),
  );
  await close();
  proxy.close();
  full.close();
});
