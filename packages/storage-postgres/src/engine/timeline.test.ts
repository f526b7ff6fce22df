import { skippedIds } from "@posthorn/core/storage";
import { type Handle, sideOf } from "@posthorn/storage-sql";
import { Kysely } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openTestPostgres, testPostgresUrl, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresDialect } from "../connections/postgres-dialect.ts";
import { createConnectionsWithin } from "../host/connections-within.ts";
import { hostTransaction } from "../host/host-transaction.ts";
import { createPostgresStorage } from "../index.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

let storage: Awaited<ReturnType<typeof openTestPostgres>>;
beforeEach(async () => {
  storage = await openTestPostgres();
});
afterEach(() => storage.close());

const addWorkspace = async (): Promise<number> =>
  (await storage.workspaces.insert({ name: "Acme", createdAt: 1 })).id;
/** What a process knows of the server. */
const open = (): Timeline => createTimeline(sideOf(storage).engine.schema ?? "");

test("on a server's new timeline, ids that lost rows may have are skipped once, whoever notices", async () => {
  const { db } = sideOf(storage);
  const processes = [open(), open(), open()];
  await storage.operations.replaceFact("timeline", "00000001");
  for (const { isNew } of processes) expect(await isNew(db, "00000001")).toBe(false);
  const before = await addWorkspace();
  expect(await Promise.all(processes.map(({ isNew }) => isNew(db, "00000002")))).toEqual(Array(3).fill(true));
  expect(await addWorkspace()).toBe(before + skippedIds.workspaces + 2);
  for (const { isNew } of processes) expect(await isNew(db, "00000002")).toBe(false);
});

test("a process that starts after it notices too, and one that starts on the same skips nothing", async () => {
  const { db } = sideOf(storage);
  await storage.operations.forgetFact("timeline");
  const before = await addWorkspace();
  expect(await open().isNew(db, "00000001")).toBe(false);
  expect(await open().isNew(db, "00000001")).toBe(false);
  expect(await addWorkspace()).toBe(before + 1);
  expect(await open().isNew(db, "00000002")).toBe(true);
  expect(await addWorkspace()).toBe(before + skippedIds.workspaces + 3);
});

test("the server tells its timeline, and one that can't costs nothing", async () => {
  const { db } = sideOf(storage);
  const timeline = open();
  expect(timeline.text()).toBe("null::text");
  await timeline.note(db);
  await storage.operations.forgetFact("timeline");
  await timeline.probe(db);
  await timeline.note(db);
  expect(await storage.operations.findFact("timeline")).toBe("00000001");
});

test("a transaction of another library's, which reads rows as JSON, can be the first to notice", async () => {
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  const transaction = hostTransaction((text, values) => client.query(text, [...values]));
  const connect = createConnectionsWithin(transaction, sideOf(storage).engine, 0);
  const db: Handle = new Kysely({ dialect: createPostgresDialect(connect) });
  await storage.operations.replaceFact("timeline", "00000001");
  const before = await addWorkspace();
  expect(await open().isNew(db, "00000002")).toBe(true);
  await client.query("commit");
  expect(await addWorkspace()).toBe(before + skippedIds.workspaces + 2);
});

test("a host's transaction can be the first to notice, whatever it writes: its connections raise no doubt", async () => {
  const connectionString = await testPostgresUrl();
  const { schema = "" } = sideOf(storage).engine;
  const other = await createPostgresStorage({ connectionString, schema, max: 1, timeouts: unhurried });
  onTestFinished(() => other.close());
  await storage.operations.replaceFact("timeline", "0000000F");
  const before = await addWorkspace();
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  const { savepoint } = other.within(client);
  const { id } = await savepoint(({ workspaces }) => workspaces.insert({ name: "Shop", createdAt: 1 }));
  await client.query("commit");
  expect(id).toBe(before + skippedIds.workspaces + 2);
});

test("after a doubt it is noticed before anything is written, once", async () => {
  const { db } = sideOf(storage);
  const timeline = open();
  await timeline.probe(db);
  await storage.operations.replaceFact("timeline", "0000000F");
  await timeline.isNew(db, "0000000F");
  const before = await addWorkspace();
  expect(timeline.assure(db)).toBeUndefined();
  timeline.doubt();
  await Promise.all([timeline.assure(db), timeline.assure(db)]);
  expect(await addWorkspace()).toBe(before + skippedIds.workspaces + 2);
  expect(timeline.assure(db)).toBeUndefined();
});

test("a doubt lasts while the server is a standby, which may take over on the connections that it has", async () => {
  const { db } = sideOf(storage);
  const timeline = open();
  await timeline.probe(db);
  await storage.operations.replaceFact("timeline", "0000000F");
  await timeline.isNew(db, "0000000F");
  const before = await addWorkspace();
  timeline.doubt();
  const standby = { executeQuery: async () => ({ rows: [{ seen: null }] }) } as unknown as Handle;
  await timeline.assure(standby);
  await timeline.assure(db);
  expect(await addWorkspace()).toBe(before + skippedIds.workspaces + 2);
  expect(timeline.assure(db)).toBeUndefined();
});

test.each([true, false])(
  "after a second without a doubt, only behind a pooler is the server asked again (%s)",
  async (losesUnseen) => {
    const timeline = createTimeline("shop", { losesUnseen });
    const db = {
      executeQuery: async () => ({ rows: [{ seen: "00000001", value: "00000001" }] }),
    } as unknown as Handle;
    const clock = vi.spyOn(performance, "now").mockReturnValue(5_000);
    onTestFinished(() => clock.mockRestore());
    await timeline.probe(db);
    timeline.doubt();
    await timeline.assure(db);
    clock.mockReturnValue(6_000);
    expect(timeline.assure(db)).toBeUndefined();
    clock.mockReturnValue(6_001);
    expect(timeline.assure(db) !== undefined).toBe(losesUnseen);
  },
);
