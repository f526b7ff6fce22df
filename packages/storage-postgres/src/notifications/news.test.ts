import type { Topic } from "@posthorn/core/storage";
import pg from "pg";
import { expect, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import {
  newSchema,
  runOnce,
  testPostgresUrl,
  unhurried,
  withParameters,
} from "../../test/open-test-storage.ts";
import { createRecordingLogger } from "../../test/recording-logger.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import type { PostgresStorageOptions } from "../postgres-storage-options.ts";

/**
 * Opens a storage, records its notifications, and returns a function that waits until it has begun to listen so many
 * times; earlier notifications are discarded.
 */
const openHearing = async (options: PostgresStorageOptions) => {
  const logger = createRecordingLogger();
  const storage = await createPostgresStorage({ logger, ...options, timeouts: unhurried });
  const heard: Topic[] = [];
  storage.subscribe((topic) => heard.push(topic));
  const listening = async (times = 1) => {
    const begun = () => logger.debugs.filter(({ message }) => message === "listening for news").length;
    await eventually(() => begun() === times);
    heard.length = 0;
  };
  return { storage, heard, listening };
};

const named = (connectionString: string, name: string) =>
  withParameters(connectionString, { application_name: name });

test("notifications reach another process once, and the own one at once", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const teller = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const { storage, heard, listening } = await openHearing({
    connectionString: named(connectionString, schema),
    schema,
  });
  await listening();
  await teller.notify(["emails"]);
  await teller.notify(["events", "emails"]);
  await eventually(() => heard.includes("events"));
  expect([...heard].sort()).toEqual(["emails", "events"]);
  const own = storage.notify(["webhooks"]);
  expect(heard.at(-1)).toBe("webhooks");
  await own;
  await Promise.all([teller.close(), storage.close()]);
});

test("neither the listening connection nor the one that stays open ends for being idle", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const name = schema.slice(0, 40);
  const impatient = withParameters(connectionString, { options: "-c idle_session_timeout=3000" });
  const { storage, listening } = await openHearing({ connectionString: named(impatient, name), schema });
  await listening();
  const processes = async () =>
    runOnce(
      connectionString,
      `select pid from pg_stat_activity where application_name = '${name}' order by pid`,
    );
  const before = await processes();
  expect(before.length).toBeGreaterThan(1);
  // One that sets nothing, opened later, shows when the server has ended those that are idle.
  const control = new pg.Client({ connectionString: impatient });
  const ended = new Promise((resolve) => control.on("error", resolve));
  await control.connect();
  await ended;
  expect(await processes()).toEqual(before);
  await storage.close();
});

test("notifications of another schema are ignored", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const [other, teller] = await Promise.all([
    createPostgresStorage({ connectionString, schema: newSchema(), timeouts: unhurried }),
    createPostgresStorage({ connectionString, schema, timeouts: unhurried }),
  ]);
  const { storage, heard, listening } = await openHearing({
    connectionString: named(connectionString, schema),
    schema,
  });
  await listening();
  await other.notify(["webhooks"]);
  await other.close();
  await teller.notify(["emails"]);
  await eventually(() => heard.length > 0);
  expect(heard).toEqual(["emails"]);
  await Promise.all([teller.close(), storage.close()]);
});

test("a listener that lost its connection polls, and listens again", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const { storage, heard, listening } = await openHearing({
    connectionString: named(connectionString, schema),
    schema,
  });
  await listening();
  await runOnce(
    connectionString,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = '${schema}' and query like 'listen %'`,
  );
  // Everything counts as changed, because notifications may have been missed.
  await eventually(() => heard.length >= 3);
  await listening(2);
  const teller = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  await teller.notify(["events"]);
  await eventually(() => heard.length > 0);
  expect(heard).toEqual(["events"]);
  await Promise.all([teller.close(), storage.close()]);
});

test("with a host's pool of one connection, the storage polls instead of listening", async () => {
  const connectionString = await testPostgresUrl();
  const pool = new pg.Pool({ connectionString, max: 1 });
  const { storage, heard } = await openHearing({ pool, schema: newSchema() });
  await eventually(() => heard.length >= 3);
  expect([...heard.slice(0, 3)].sort()).toEqual(["emails", "events", "webhooks"]);
  await storage.now();
  await storage.close();
  await pool.end();
});

test("a host's pool lends a connection to listen, which is not returned to it", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const pool = new pg.Pool({ connectionString: named(connectionString, schema), max: 2 });
  const { storage, heard, listening } = await openHearing({ pool, schema });
  await listening();
  await runOnce(connectionString, `select pg_notify('posthorn_${schema}', 'emails,nonsense')`);
  await eventually(() => heard.length > 0);
  expect(heard).toEqual(["emails"]);
  await storage.close();
  for (let count = 0; count < 3; count += 1)
    expect((await pool.query("select pg_listening_channels()")).rows).toEqual([]);
  await pool.end();
});

test("a listening connection without notifications, as through a pooler, is detected at once", async () => {
  const connectionString = await testPostgresUrl();
  // Notifications stay within a database.
  const elsewhere = new URL(connectionString);
  elsewhere.pathname = "/template1";
  const { storage, heard } = await openHearing({
    connectionString,
    listenConnectionString: elsewhere.href,
    schema: newSchema(),
    timeouts: { ...unhurried, connect: 1_000 },
  });
  await eventually(() => heard.length >= 6);
  await storage.close();
});
