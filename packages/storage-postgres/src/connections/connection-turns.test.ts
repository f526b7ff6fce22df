import { type Repositories, StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

test("lists that take long leave a connection for short reads and for others' lists, and all are answered", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, max: 9, timeouts: unhurried });
  const addWorkspace = () => storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const [{ id: workspaceId }, other] = [await addWorkspace(), await addWorkspace()];
  const slice = { offset: 0, limit: 1 };
  // All connections for reads are open before the lists begin.
  await Promise.all([
    storage.workspaces.find(workspaceId),
    ...[workspaceId, other.id].map((id) => storage.emails.list({ workspaceId: id }, slice, 1)),
  ]);
  const operator = new pg.Client({ connectionString });
  await operator.connect();
  await operator.query(`begin; lock table "${schema}".emails`);
  let answered = 0;
  const lists = Array.from({ length: 8 }, async () => {
    const { total } = await storage.emails.list({ workspaceId }, slice, 1);
    answered += 1;
    return total;
  });
  await vi.waitUntil(async () => {
    const waiting = `select from pg_locks where not granted and relation = '"${schema}".emails'::regclass`;
    return ((await operator.query(waiting)).rowCount ?? 0) > 0;
  }, 60_000);
  expect((await storage.templates.list(other.id, slice)).total).toBe(0);
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
  }, 60_000);
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

test("closing refuses at once whoever waits for others' work, and lets that end", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({ connectionString, schema, max: 6, timeouts: unhurried });
  const { id } = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: number[] = [];
  const changes = [1, 2, 3].map((change) =>
    storage.transaction(async ({ workspaces }) => {
      await workspaces.find(id);
      begun.push(change);
      await end;
    }, id),
  );
  await expect.poll(() => begun).toHaveLength(2);
  const closing = storage.close();
  await expect(changes[2]).rejects.toThrow("the storage is closed");
  await expect(changes[2]).rejects.toBeInstanceOf(StorageUnavailable);
  resolve();
  await Promise.all([changes[0], changes[1], closing]);
  // Each on a connection of its own.
  expect(begun.toSorted()).toEqual([1, 2]);
  await giveBack();
});
