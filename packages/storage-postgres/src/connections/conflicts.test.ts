import { StorageUnavailable } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { lockTable } from "../../test/lock-table.ts";
import {
  newSchema,
  openTestPostgres,
  runOnce,
  takeTestSchema,
  testPostgresUrl,
  unhurried,
} from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

test("of two deadlocked transactions one is retried, and both commit", async () => {
  // The server finds a deadlock after a second; on a busy machine the lock's time-out would come first.
  const storage = await openTestPostgres({ timeouts: unhurried });
  const first = await storage.workspaces.insert({ name: "first", createdAt: 1 });
  const second = await storage.workspaces.insert({ name: "second", createdAt: 1 });
  const met = Promise.withResolvers<void>();
  let inside = 0;
  let runs = 0;
  const change = (name: string, ids: [number, number]) =>
    storage.transaction(async ({ workspaces }) => {
      runs += 1;
      await workspaces.update(ids[0], { name: `${name} 1`, updatedAt: 2 });
      inside += 1;
      if (inside === 2) met.resolve();
      await met.promise;
      await workspaces.update(ids[1], { name: `${name} 2`, updatedAt: 2 });
    });
  await Promise.all([change("a", [first.id, second.id]), change("b", [second.id, first.id])]);
  expect(runs).toBe(3);
  const names = [await storage.workspaces.find(first.id), await storage.workspaces.find(second.id)].map(
    (workspace) => workspace?.name[0],
  );
  // The last writer wrote both.
  expect(names[0]).toBe(names[1]);
  await storage.close();
});

test("a row that the host keeps locked makes the storage unavailable, after retries of the whole transaction", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({
    connectionString,
    schema,
    timeouts: { ...unhurried, lock: 50 },
  });
  const { id } = await storage.workspaces.insert({ name: "held", createdAt: 1 });
  const host = new pg.Client({ connectionString });
  await host.connect();
  await host.query("begin");
  await host.query(`select * from "${schema}".workspaces for update`);
  let runs = 0;
  // The clock stands still, however long the runs take: after a second there would be no further run.
  const now = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  const changing = storage.transaction(async ({ workspaces }) => {
    runs += 1;
    await workspaces.update(id, { name: "changed", updatedAt: 2 });
  });
  await expect(changing).rejects.toBeInstanceOf(StorageUnavailable);
  expect(runs).toBe(4);
  await host.query("rollback");
  await storage.workspaces.update(id, { name: "changed", updatedAt: 2 });
  expect((await storage.workspaces.find(id))?.name).toBe("changed");
  await host.end();
  await storage.close();
  await giveBack();
});

test("a transaction whose error was ignored does not count as committed", async () => {
  const storage = await openTestPostgres();
  const workspace = { name: "twice", createdAt: 1 };
  const { id } = await storage.workspaces.insert(workspace);
  const swallowing = storage.transaction(async ({ settings, workspaces }) => {
    await workspaces.update(id, { name: "changed", updatedAt: 2 });
    const bad = { workspaceId: -1 } as Parameters<typeof settings.insert>[0];
    await settings.insert(bad).catch(() => {});
  });
  await expect(swallowing).rejects.toThrow("was ignored");
  expect((await storage.workspaces.find(id))?.name).toBe("twice");
  await storage.close();
});

test("an operator's table change delays writers briefly, and readers of other tables not at all", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({
    connectionString,
    schema,
    max: 3,
    timeouts: { ...unhurried, lock: 150 },
  });
  const { id } = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const operator = new pg.Client({ connectionString });
  await operator.connect();
  await operator.query(`begin; alter table "${schema}".email_queue add column note text`);
  await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable);
  const writes = Array.from({ length: 12 }, () =>
    storage.transaction(({ emailQueue }) => emailQueue.status(1)).catch((error: unknown) => error),
  );
  expect((await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 1 })).total).toBe(1);
  for (const outcome of await Promise.all(writes)) expect(outcome).toBeInstanceOf(StorageUnavailable);
  await operator.query("rollback");
  await storage.ping();
  await storage.workspaces.update(id, { name: "Apex", updatedAt: 2 });
  await operator.end();
  await storage.close();
  await giveBack();
});

test("readers of a locked table are refused while one probes it, and leave connections to others", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({
    connectionString,
    schema,
    max: 6,
    timeouts: { ...unhurried, lock: 400 },
  });
  await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const unlock = await lockTable(`"${schema}".emails`);
  const read = () => storage.emails.find(1, "e-mail", 0);
  const crowd = Array.from({ length: 40 }, read);
  for (const outcome of await Promise.allSettled(crowd))
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StorageUnavailable) });
  // From now on the connections for reads wait longer than the rest of this test takes on any machine.
  const patient = sql`select set_config('lock_timeout', '30s', false), pg_backend_pid() as pid`;
  const { db } = sideOf(storage);
  const set = await Promise.all([patient.execute(db), patient.execute(db)]);
  expect(new Set(set.map(({ rows: [row] }) => (row as { pid: number }).pid)).size).toBe(2);
  let isAnswered = false;
  const asking = read().finally(() => {
    isAnswered = true;
  });
  asking.catch(() => {});
  await expect(read()).rejects.toBeInstanceOf(StorageUnavailable);
  expect((await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 1 })).total).toBe(1);
  expect(isAnswered).toBe(false);
  await unlock();
  await asking;
  expect(await Promise.all([read(), read(), read()])).toEqual([undefined, undefined, undefined]);
  await storage.close();
  await giveBack();
});

test("on a host's own connections a read of a locked table times out, too, although the server has no time-out set", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const pool = new pg.Pool({ connectionString, max: 2 });
  const storage = await createPostgresStorage({
    pool,
    schema,
    timeouts: { ...unhurried, lock: 100, query: 60_000 },
  });
  const unlock = await lockTable(`"${schema}".emails`);
  await expect(storage.emails.find(1, "e-mail", 0)).rejects.toBeInstanceOf(StorageUnavailable);
  await unlock();
  expect(await storage.emails.find(1, "e-mail", 0)).toBeUndefined();
  await storage.close();
  await pool.end();
  await giveBack();
});

test("a statement prepared before its table changed is prepared again", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const storage = await createPostgresStorage({ connectionString, schema, max: 2, timeouts: unhurried });
  await storage.migrate();
  const { id } = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const read = () => storage.workspaces.find(id);
  for (let round = 0; round < 5; round += 1) await read();
  await runOnce(connectionString, `alter table "${schema}".workspaces add column note text`);
  expect(await read()).toMatchObject({ name: "Acme" });
  await storage.close();
  await runOnce(connectionString, `drop schema "${schema}" cascade`);
});
