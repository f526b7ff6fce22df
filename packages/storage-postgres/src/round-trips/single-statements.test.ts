import type { Storage } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import {
  openTestPostgres,
  testPostgresUrl,
  unhurried,
  withParameters,
} from "../../test/open-test-storage.ts";
import { sentTexts } from "../../test/sent-texts.ts";
import { createPostgresStorage } from "../index.ts";

let storage: Storage;
let query: MockInstance;
beforeEach(async () => {
  storage = await openTestPostgres();
  query = vi.spyOn(pg.Client.prototype, "query");
});
afterEach(async () => {
  query.mockRestore();
  await storage.close();
});

/** The first words of what was sent since `work` began. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  query.mockClear();
  await work();
  return query.mock.calls
    .flatMap(([asked]) => sentTexts(asked))
    .map((text) => text.trim().split(" ", 1)[0] ?? "");
}

const event = {
  category: "audit",
  type: "seen",
  workspaceId: undefined,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message: "",
  metadata: "{}",
  createdAt: 1,
} as const;

const usageOf = (workspaceId: number) => ({
  workspaceId,
  recipients: 1,
  hour: { start: 0, limit: 0 },
  day: { start: 0, limit: 0 },
});

const write = (workspaceId: number) =>
  storage.transaction(({ events, usage }) =>
    Promise.all([events.append([event]), usage.count([usageOf(workspaceId)])]),
  );

const countEvents = async () => (await storage.events.listAfter(0, { workspaceId: "all" }, 10)).events.length;

test("a transaction of joined writes only is one statement, and all are written", async () => {
  const { id } = await storage.workspaces.insert({ name: "W", createdAt: 1 });
  expect(await sentBy(() => write(id))).toEqual(["with"]);
  expect(await countEvents()).toBe(1);
  expect(await storage.usage.find(id, 0, 0)).toEqual({ hour: 1, day: 1 });
});

test("if one of them fails, none is written, without a rollback", async () => {
  expect(await sentBy(() => expect(write(404)).rejects.toThrow("foreign key"))).toEqual(["with"]);
  expect(await countEvents()).toBe(0);
});

test("a transaction that reads in between begins and commits", async () => {
  const { id } = await storage.workspaces.insert({ name: "W", createdAt: 1 });
  const work = () =>
    storage.transaction(async ({ workspaces, events }) => {
      await workspaces.lock(id);
      await events.append([event]);
    });
  expect(await sentBy(work)).toEqual(["begin", "select", "insert", "commit"]);
});

test("a transaction without a statement sends nothing", async () => {
  expect(await sentBy(() => storage.transaction(async () => {}))).toEqual([]);
});

test("nulls in lists are nulls, whatever the database's default", async () => {
  const options = "-c array_nulls=off";
  const odd = await openTestPostgres({
    connectionString: withParameters(await testPostgresUrl(), { options }),
  });
  const { rows } = await sql`select ('{NULL}'::text[])[1] is null as isnull`.execute(sideOf(odd).db);
  expect(rows).toEqual([{ isnull: true }]);
  await odd.close();
});

test("where nulls in lists can't be set, because a host or a pooler has the connections, a database without them is refused", async () => {
  const connectionString = withParameters(await testPostgresUrl(), { options: "-c array_nulls=off" });
  const refusal = "array_nulls=off";
  await expect(
    createPostgresStorage({ connectionString, transactionPooler: true, timeouts: unhurried }),
  ).rejects.toThrow(refusal);
  const pool = new pg.Pool({ connectionString });
  await expect(createPostgresStorage({ pool, timeouts: unhurried })).rejects.toThrow(refusal);
  await pool.end();
});

test("a single statement runs under the same isolation as others, whatever the database's default", async () => {
  const options = "-c default_transaction_isolation=serializable";
  const strict = await openTestPostgres({
    connectionString: withParameters(await testPostgresUrl(), { options }),
  });
  const { rows } = await sql`show transaction_isolation`.execute(sideOf(strict).db);
  expect(rows).toEqual([{ transaction_isolation: "read committed" }]);
  await strict.close();
});
