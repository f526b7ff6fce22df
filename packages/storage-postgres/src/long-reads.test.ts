import { StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";
import { createLongReads } from "./long-reads.ts";

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

test("a long read that waits too long for its place is refused, and takes none", async () => {
  const enter = createLongReads(1, 1);
  const leave = await enter();
  await expect(enter()).rejects.toBeInstanceOf(StorageUnavailable);
  leave();
  (await enter())();
});

test("whoever waits longest gets the place that becomes free", async () => {
  const enter = createLongReads(1, 30_000);
  const leave = await enter();
  const order: string[] = [];
  const join = async (name: string) => {
    const left = await enter();
    order.push(name);
    left();
  };
  const all = [join("first"), join("second")];
  leave();
  await Promise.all(all);
  expect(order).toEqual(["first", "second"]);
});
