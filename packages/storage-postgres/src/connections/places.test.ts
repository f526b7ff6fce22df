import { type Repositories, StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import { createPlaces } from "./places.ts";

test("lists that take long leave a connection for short reads, and all are answered", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, max: 6, timeouts: unhurried });
  const { id: workspaceId } = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  // Both connections for reads are open before the lists begin.
  await Promise.all([
    storage.workspaces.find(workspaceId),
    storage.emails.list({ workspaceId }, { offset: 0, limit: 1 }, 1),
  ]);
  const operator = new pg.Client({ connectionString });
  await operator.connect();
  await operator.query(`begin; lock table "${schema}".emails`);
  let answered = 0;
  const lists = Array.from({ length: 8 }, async () => {
    const { total } = await storage.emails.list({ workspaceId }, { offset: 0, limit: 1 }, 1);
    answered += 1;
    return total;
  });
  await vi.waitUntil(async () => {
    const waiting = `select from pg_locks where not granted and relation = '"${schema}".emails'::regclass`;
    return ((await operator.query(waiting)).rowCount ?? 0) > 0;
  }, 30_000);
  expect((await storage.workspaces.find(workspaceId))?.name).toBe("Acme");
  expect(answered).toBe(0);
  await operator.query("rollback");
  expect(await Promise.all(lists)).toEqual(Array(8).fill(0));
  await operator.end();
  await storage.close();
  await giveBack();
});

test("changes that wait for a lock leave connections for others' changes, and for sends", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, max: 10, timeouts: unhurried });
  const addWorkspace = () => storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const [own, other] = [await addWorkspace(), await addWorkspace()];
  const [operator, watcher] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([operator.connect(), watcher.connect()]);
  await operator.query(`begin; select from "${schema}".workspaces where id = ${own.id} for update`);
  let ended = 0;
  const changes = Array.from({ length: 12 }, async () => {
    await storage.transaction(({ workspaces }) => workspaces.lock(own.id), own.id);
    ended += 1;
  });
  await vi.waitUntil(async () => {
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"${schema}"."workspaces"%'`;
    return ((await watcher.query(waiting)).rowCount ?? 0) >= 3;
  }, 30_000);
  const lockOther = ({ workspaces }: Repositories) => workspaces.lock(other.id);
  expect((await storage.transaction(lockOther, other.id))?.name).toBe("Acme");
  expect((await storage.transaction(lockOther))?.name).toBe("Acme");
  expect(ended).toBe(0);
  await operator.query("rollback");
  await Promise.all(changes);
  await Promise.all([operator.end(), watcher.end()]);
  await storage.close();
  await giveBack();
});

test("whoever waits too long for a place is refused, and takes none", async () => {
  const enter = createPlaces({ all: 1, waitMs: 1 });
  const leave = await enter();
  await expect(enter()).rejects.toBeInstanceOf(StorageUnavailable);
  leave();
  (await enter())();
});

test.each([0, 2 ** 40])("with a time of %s ms, whoever waits is not refused at once", async (waitMs) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const enter = createPlaces({ all: 1, waitMs });
  const leave = await enter();
  const next = enter();
  await vi.advanceTimersByTimeAsync(3_600_000);
  leave();
  (await next)();
  expect(vi.getTimerCount()).toBe(0);
});

test("holders take turns, and of one holder whoever waits longest comes first", async () => {
  const enter = createPlaces({ all: 1, waitMs: 30_000 });
  const leave = await enter(1);
  const order: string[] = [];
  const join = async (name: string, holder: number) => {
    const left = await enter(holder);
    order.push(name);
    left();
  };
  const all = [join("1a", 1), join("1b", 1), join("1c", 1), join("2a", 2), join("2b", 2)];
  leave();
  await Promise.all(all);
  expect(order).toEqual(["1a", "2a", "1b", "2b", "1c"]);
});

test("no holder has more places than its part while others are free", async () => {
  const enter = createPlaces({ all: 3, each: 2, waitMs: 1 });
  const leaves = [await enter("a"), await enter("a")];
  await expect(enter("a")).rejects.toBeInstanceOf(StorageUnavailable);
  leaves.push(await enter("b"));
  await expect(enter("b")).rejects.toBeInstanceOf(StorageUnavailable);
  for (const leave of leaves) leave();
  (await enter("a"))();
});
