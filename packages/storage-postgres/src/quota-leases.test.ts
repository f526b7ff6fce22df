import type { Storage, UsageOutcome } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { lease as takeLease } from "../../storage-sql/src/repositories/workspaces/usage/lease.ts";
import { recall } from "../../storage-sql/src/repositories/workspaces/usage/recall.ts";
import { eventually } from "../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const hour = 3_600_000;
/** Three storages stand for three processes. */
let storages: readonly [Storage, Storage, Storage];
let connectionString: string;
let schema: string;
let giveBack: () => Promise<void>;
let workspaceId: number;

beforeAll(async () => {
  ({ connectionString, schema, giveBack } = await takeTestSchema());
  storages = [await open(), await open(), await open()];
});

beforeEach(async () => {
  // Leases require many charges within a second, which takes longer on a busy machine.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  workspaceId = (await storages[0].workspaces.insert({ name: "busy", createdAt: 1 })).id;
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  for (const storage of storages) await storage.close();
  await giveBack();
});

const open = (): Promise<Storage> => createPostgresStorage({ connectionString, schema, timeouts: unhurried });

async function charge(storage: Storage, recipients: number, limit: number): Promise<UsageOutcome> {
  const windows = { hour: { start: hour, limit }, day: { start: 0, limit: 0 } };
  const [outcome] = await storage.transaction(({ usage }) =>
    usage.reserve([{ workspaceId, recipients, ...windows }]),
  );
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

const used = () => storages[0].usage.find(workspaceId, hour, 0);

/** Returns the leased and unspent recipients of the hour. */
async function leased(): Promise<number> {
  const [row] = await runOnce(
    connectionString,
    `select -coalesce(sum(used), 0)::int as leased from "${schema}".usage
      where workspace_id = ${workspaceId} and window_kind = 'hour' and shard < 0`,
  );
  return Number(row?.["leased"]);
}

/** A number that makes a workspace busy enough for a lease, however slow the machine is. */
const busy = 10;

/** Charges until there is a lease; returns the number of charges. */
async function lease(storage: Storage, limit: number): Promise<number> {
  const before = await leased();
  let charged = 0;
  await eventually(async () => {
    await charge(storage, busy, limit);
    charged += busy;
    return (await leased()) > before;
  });
  return charged;
}

test("a process with a lease charges it while another holds the counter, and usage stays exact", async () => {
  const [storage] = storages;
  const charged = await lease(storage, 100_000);
  const other = new pg.Client({ connectionString });
  await other.connect();
  await other.query("begin");
  await other.query(`select * from "${schema}".usage where shard = 0 for update`);
  for (let times = 0; times < 3; times += 1)
    expect(await charge(storage, 5, 100_000)).toEqual({ allowed: true });
  const windows = { hour: { start: hour, limit: 100_000 }, day: { start: 0, limit: 0 } };
  const twice = { workspaceId, recipients: 2, ...windows };
  expect(await storage.usage.reserve([twice, twice])).toEqual([{ allowed: true }, { allowed: true }]);
  expect(await used()).toEqual({ hour: charged + 19, day: charged + 19 });
  await other.end();
});

test("a lease takes a quarter of what remains, and nothing near the limit", async () => {
  const { db, engine } = sideOf(storages[0]);
  const take = (limit: number) => {
    const windows = { hour: { start: hour, limit }, day: { start: 0, limit: 0 } };
    return takeLease(db, engine, { workspaceId, ...windows, holder: -2, most: 200, least: 20, part: 1 / 4 });
  };
  expect(await take(79)).toBe(0);
  expect(await take(400)).toBe(100);
  expect(await take(400)).toBe(75);
  expect(await take(1_000_000)).toBe(200);
});

test("what is set aside for a large batch is charged while another holds the counter, and quotas stay exact", async () => {
  const [storage, another] = storages;
  const windows = { hour: { start: hour, limit: 6_000 }, day: { start: 0, limit: 0 } };
  expect(await storage.usage.setAside({ workspaceId, recipients: 6_001, ...windows })).toBe(false);
  expect(await storage.usage.setAside({ workspaceId, recipients: 5_000, ...windows })).toBe(true);
  expect(await storage.usage.setAside({ workspaceId, recipients: 5_000, ...windows })).toBe(true);
  expect(await used()).toEqual({ hour: 0, day: 0 });
  const other = new pg.Client({ connectionString });
  await other.connect();
  await other.query("begin");
  await other.query(`select * from "${schema}".usage where shard = 0 for update`);
  expect(await charge(storage, 5_000, 6_000)).toEqual({ allowed: true });
  await other.query("rollback");
  await other.end();
  expect(await used()).toEqual({ hour: 5_000, day: 5_000 });
  // More than is left without the rest of what was set aside.
  expect(await charge(another, 900, 6_000)).toEqual({ allowed: true });
  expect(await charge(another, 101, 6_000)).toMatchObject({ allowed: false });
  expect(await charge(another, 100, 6_000)).toEqual({ allowed: true });
  await storage.usage.setAside({ workspaceId, recipients: 1, ...windows });
  expect(await used()).toEqual({ hour: 6_000, day: 6_000 });
});

test("the process that recalls its own lease does not spend it again: its next transaction runs once", async () => {
  const [storage] = storages;
  const charged = await lease(storage, 1_000);
  expect(await charge(storage, 999 - charged, 1_000)).toEqual({ allowed: true });
  const windows = { hour: { start: hour, limit: 1_000 }, day: { start: 0, limit: 0 } };
  let runs = 0;
  await storage.transaction(({ usage }) => {
    runs += 1;
    return usage.reserve([{ workspaceId, recipients: 1, ...windows }]);
  });
  expect(runs).toBe(1);
});

test("a quota charged by three processes at once is used completely, and not exceeded", async () => {
  const limit = 600;
  let allowed = 0;
  const untilRefused = async (storage: Storage) => {
    while ((await charge(storage, 1, limit)).allowed) allowed += 1;
  };
  await Promise.all(storages.flatMap((storage) => Array.from({ length: 10 }, () => untilRefused(storage))));
  expect(allowed).toBe(limit);
  expect(await used()).toEqual({ hour: limit, day: limit });
});

test("of a hundred sends by three processes with leases, and one left, exactly one is accepted", async () => {
  const limit = 2_000;
  let charged = 0;
  for (const storage of storages) charged += await lease(storage, limit);
  // More than remains beside the leases, so that they are recalled.
  expect(await charge(storages[0], limit - charged - 1, limit)).toEqual({ allowed: true });
  expect(await leased()).toBe(0);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => charge(storages[index % 3] ?? storages[0], 1, limit)),
  );
  expect(outcomes.filter(({ allowed }) => allowed)).toHaveLength(1);
  expect(outcomes.find((outcome) => !outcome.allowed)).toMatchObject({ window: "hour", used: limit, limit });
  expect(await used()).toEqual({ hour: limit, day: limit });
});

test("a lease of a dead process is returned, and nothing of the quota is lost", async () => {
  const [gone, other] = [await open(), storages[0]];
  const charged = await lease(gone, 1_000);
  await gone.close();
  expect(await charge(other, 1_000 - charged, 1_000)).toEqual({ allowed: true });
  expect(await charge(other, 1, 1_000)).toMatchObject({ allowed: false, used: 1_000 });
});

test("a recalled lease is not spent: the transaction runs again on the counter", async () => {
  const [holder, other] = storages;
  const charged = await lease(holder, 1_000);
  expect(await charge(other, 999 - charged, 1_000)).toEqual({ allowed: true });
  expect(await charge(holder, 1, 1_000)).toEqual({ allowed: true });
  expect(await charge(holder, 1, 1_000)).toMatchObject({ allowed: false, used: 1_000 });
});

test("a recall takes back what is leased of its windows, and nothing of other workspaces, windows or counts", async () => {
  const [storage] = storages;
  const { db, engine } = sideOf(storage);
  const second = (await storage.workspaces.insert({ name: "second", createdAt: 1 })).id;
  const windowsAt = (start: number) => ({ hour: { start, limit: 0 }, day: { start, limit: 0 } });
  const sizes = { holder: -2, most: 20, least: 20, part: 1 };
  const places = [
    { workspaceId, ...windowsAt(hour) },
    { workspaceId, ...windowsAt(2 * hour) },
    { workspaceId: second, ...windowsAt(hour) },
  ] as const;
  for (const place of places) await takeLease(db, engine, { ...place, ...sizes });
  // Counts without a limit have shards of their own, which may be below zero, too.
  await storage.usage.release([{ ...places[0], recipients: 3 }]);
  const recalled = await db
    .transaction()
    .execute((tx) => recall(tx, engine, [{ ...places[0], recipients: 1 }]));
  expect(recalled.map(({ left }) => left)).toEqual([20, 20]);
  const usedAt = ({ workspaceId: id, hour: { start } }: (typeof places)[number]) =>
    storage.usage.find(id, start, start);
  expect(await Promise.all(places.map(usedAt))).toEqual([
    { hour: 17, day: 17 },
    { hour: 0, day: 0 },
    { hour: 0, day: 0 },
  ]);
});

test("a recall takes back what is left of a lease by a spending that commits first", async () => {
  const [storage] = storages;
  const { db, engine } = sideOf(storage);
  const place = { workspaceId, hour: { start: hour, limit: 0 }, day: { start: hour, limit: 0 } };
  await takeLease(db, engine, { ...place, holder: -2, most: 20, least: 20, part: 1 });
  const spender = new pg.Client({ connectionString });
  await spender.connect();
  await spender.query(
    `begin; update "${schema}".usage set used = used + 5 where workspace_id = ${workspaceId} and shard < 0`,
  );
  const recalling = db.transaction().execute((tx) => recall(tx, engine, [{ ...place, recipients: 1 }]));
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
  await eventually(async () => (await runOnce(connectionString, waiting)).length > 0);
  await spender.query("commit");
  expect((await recalling).map(({ left }) => left)).toEqual([15, 15]);
  await spender.end();
});

test("a lowered limit applies at once, whatever is leased", async () => {
  const [storage] = storages;
  const charged = await lease(storage, 1_000);
  expect(await charge(storage, 1, charged + 1)).toEqual({ allowed: true });
  expect(await charge(storage, 1, charged + 1)).toMatchObject({ allowed: false, used: charged + 1 });
});

test("a transaction that is rolled back spends nothing of a lease", async () => {
  const [storage] = storages;
  const charged = await lease(storage, 1_000);
  const request = {
    workspaceId,
    recipients: 4,
    hour: { start: hour, limit: 1_000 },
    day: { start: 0, limit: 0 },
  };
  const failed = storage.transaction(async ({ usage }) => {
    await usage.reserve([request]);
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect(await used()).toEqual({ hour: charged, day: charged });
});

test("recalling a lease waits for no open transaction that spent of it, whatever counters that needs next", async () => {
  const [holder, other] = storages;
  const second = (await holder.workspaces.insert({ name: "second", createdAt: 1 })).id;
  const charged = await lease(holder, 1_000);
  const windows = { hour: { start: hour, limit: 1_000 }, day: { start: 0, limit: 0 } };
  const one = { workspaceId, recipients: 1, ...windows };
  const ofSecond = { ...one, workspaceId: second };
  const [taken, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const spending = holder.transaction(async ({ usage }) => {
    await usage.reserve([one]);
    taken.resolve();
    await goOn.promise;
    // As deferring does, together with another workspace's mail in the same batch.
    return usage.reserve([ofSecond]);
  });
  await taken.promise;
  const all = { ...one, recipients: 1_000 - charged };
  expect(await other.transaction(({ usage }) => usage.reserve([ofSecond, all]))).toEqual([
    { allowed: true },
    { allowed: true },
  ]);
  goOn.resolve();
  // It took from a recalled lease: its retry charges the counters, which are full.
  expect(await spending).toEqual([{ allowed: true }]);
  expect(await used()).toEqual({ hour: 1_000, day: 1_000 });
  expect(await holder.usage.find(second, hour, 0)).toEqual({ hour: 2, day: 2 });
});

test("a lease lost by a failover is not spent: further charges go to the counter", async () => {
  const [storage] = storages;
  const charged = await lease(storage, 1_000);
  // As on a standby that had not received the lease, but one of another hour.
  await runOnce(
    connectionString,
    `insert into "${schema}".usage select workspace_id, window_kind, window_start + 7, shard, 0
      from "${schema}".usage where workspace_id = ${workspaceId} and shard < 0`,
  );
  await runOnce(
    connectionString,
    `with lost as (
        delete from "${schema}".usage where workspace_id = ${workspaceId} and shard < 0 and window_start in (0, ${hour})
      )
      update "${schema}".usage set used = ${charged} where workspace_id = ${workspaceId} and shard = 0`,
  );
  expect(await used()).toEqual({ hour: charged, day: charged });
  expect(await charge(storage, 5, 1_000)).toEqual({ allowed: true });
  expect(await used()).toEqual({ hour: charged + 5, day: charged + 5 });
});
