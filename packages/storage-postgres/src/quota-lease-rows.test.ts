import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lease as takeLease } from "../../storage-sql/src/repositories/workspaces/usage/lease.ts";
import { eventually } from "../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const hour = 3_600_000;
let storage: Awaited<ReturnType<typeof createPostgresStorage>>;
let connectionString: string;
let schema: string;
let giveBack: () => Promise<void>;

beforeAll(async () => {
  ({ connectionString, schema, giveBack } = await takeTestSchema());
  storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
});

afterAll(async () => {
  await storage.close();
  await giveBack();
});

const busy = async () => (await storage.workspaces.insert({ name: "busy", createdAt: 1 })).id;

test("a lease is refilled in the order in which it is spent, so that neither waits for the other", async () => {
  const workspaceId = await busy();
  const { db, engine } = sideOf(storage);
  const windows = { hour: { start: hour, limit: 10_000 }, day: { start: 0, limit: 0 } };
  const wanted = { workspaceId, ...windows, holder: -2, most: 200, least: 20, part: 1 / 4 };
  await takeLease(db, engine, wanted);
  const spender = new pg.Client({ connectionString });
  await spender.connect();
  const lock = (kind: string) =>
    spender.query(
      `select from "${schema}".usage where workspace_id = ${workspaceId} and shard = -2 and window_kind = $1 for update nowait`,
      [kind],
    );
  await spender.query("begin");
  await lock("day");
  const refilled = takeLease(db, engine, wanted);
  await eventually(async () => {
    const [row] = await runOnce(
      connectionString,
      `select from pg_stat_activity where query like '%"${schema}"."usage" as u%excluded.used%' and wait_event_type = 'Lock'`,
    );
    return row !== undefined;
  });
  await lock("hour");
  await spender.query("rollback");
  await spender.end();
  expect(await refilled).toBe(200);
});

test("while a snapshot is old, a lease goes on in new rows, and nothing is left in the former", async () => {
  const workspaceId = await busy();
  const dump = new pg.Client({ connectionString });
  await dump.connect();
  await dump.query("begin isolation level repeatable read read only");
  await dump.query("select");
  await runOnce(
    connectionString,
    `do $$ begin
      create temporary table used (n int);
      for n in 1..2000 loop begin insert into used values (n); exception when others then null; end; end loop;
    end $$`,
  );
  const rows = () =>
    runOnce(
      connectionString,
      `select used from "${schema}".usage where workspace_id = ${workspaceId} and window_kind = 'hour' and shard < 0 order by shard desc`,
    );
  let charged = 0;
  const charge = async () => {
    const windows = { hour: { start: hour, limit: 100_000 }, day: { start: 0, limit: 0 } };
    await storage.usage.reserve([{ workspaceId, recipients: 11, ...windows }]);
    charged += 11;
  };
  await eventually(async () => {
    await charge();
    return (await rows()).length > 0;
  });
  const former = (await rows()).length;
  // After a thousand statements that count, the process looks whether a snapshot is old.
  const { id: other } = await storage.workspaces.insert({ name: "other", createdAt: 1 });
  const windows = { hour: { start: hour, limit: 0 }, day: { start: hour, limit: 0 } };
  for (let times = 0; times < 1_001; times += 1)
    await storage.usage.count([{ workspaceId: other, recipients: 1, ...windows }]);
  await eventually(async () => {
    await charge();
    return (await rows()).length >= former + 2;
  });
  await dump.query("rollback");
  await dump.end();
  expect(await storage.usage.find(workspaceId, hour, 0)).toEqual({ hour: charged, day: charged });
  expect((await rows()).map((row) => Number(row["used"]))).toContain(0);
});

test("a charge of counters that are there leaves one former version of each", async () => {
  const workspaceId = await busy();
  const host = new pg.Client({ connectionString });
  await host.connect();
  const versions = async (): Promise<{ inserts: number; updates: number }> => {
    const { rows } = await host.query(
      `select n_tup_ins::int as inserts, n_tup_upd::int as updates from pg_stat_xact_user_tables
        where schemaname = $1 and relname = 'usage'`,
      [schema],
    );
    return rows[0];
  };
  const changes = async (): Promise<number[]> => {
    await host.query("begin");
    const before = await versions();
    const windows = { hour: { start: hour, limit: 100 }, day: { start: 0, limit: 0 } };
    await storage.within(host).usage.reserve([{ workspaceId, recipients: 2, ...windows }]);
    const { inserts, updates } = await versions();
    await host.query("commit");
    return [inserts - before.inserts, updates - before.updates];
  };
  expect(await changes()).toEqual([2, 2]);
  expect(await changes()).toEqual([0, 2]);
  await host.end();
  expect(await storage.usage.find(workspaceId, hour, 0)).toEqual({ hour: 4, day: 4 });
});

test("a charge that waits for a counter that another creates holds none behind it, so that neither waits for the other", async () => {
  const [first, second] = [await busy(), await busy()];
  const requests = (...ids: number[]) =>
    ids.map((workspaceId) => ({
      ...{ workspaceId, recipients: 1 },
      ...{ hour: { start: hour, limit: 9 }, day: { start: 0, limit: 9 } },
    }));
  const charge = (...ids: number[]) => storage.transaction(({ usage }) => usage.reserve(requests(...ids)));
  await charge(second);
  const creator = new pg.Client({ connectionString });
  await creator.connect();
  await creator.query("begin");
  await storage.within(creator).usage.reserve(requests(first));
  const both = charge(first, second);
  const isWaiting = `select from pg_stat_activity where query like '%insert into "${schema}"."usage"%' and wait_event_type = 'Lock'`;
  await eventually(async () => (await runOnce(connectionString, isWaiting)).length > 0);
  await creator.query(
    `select from "${schema}".usage where workspace_id = ${second} and shard = 0 for update nowait`,
  );
  await creator.query("commit");
  await creator.end();
  await both;
  expect(await storage.usage.find(second, hour, 0)).toEqual({ hour: 2, day: 2 });
});
