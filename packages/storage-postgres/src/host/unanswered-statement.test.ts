import { StorageUnavailable } from "@posthorn/core/storage";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { openLockingWorld } from "../../test/open-locking-world.ts";
import { takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import type { TimedQuery } from "../statements/run-query.ts";
import { hostTransaction } from "./host-transaction.ts";

test("a host's transaction in which a statement of ours was given up commits nothing of it", async () => {
  const { world, openHost, untilWaiting } = await openLockingWorld();
  const { posthorn, mailer } = world;
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"], dedupeKey: "order 1" };
  const [first, second] = [await openHost(), await openHost()];
  await posthorn.emails.send(mail, { workspaceId, transaction: first });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const sent = posthorn.emails.send(mail, { workspaceId, transaction: second });
  const refused = expect(sent).rejects.toThrow(StorageUnavailable);
  await untilWaiting(sent);
  await vi.advanceTimersByTimeAsync(2 * unhurried.query);
  await refused;
  vi.useRealTimers();
  // The statement waits no more, and would be executed before the commit.
  await first.query("rollback");
  await expect(second.query("commit")).rejects.toThrow();
  // The key was not taken for an e-mail that does not exist.
  expect(await posthorn.emails.send(mail, { workspaceId })).not.toHaveProperty("deduplicated", true);
  await posthorn.drain();
  expect(mailer.inbox.all()).toHaveLength(1);
});

test("on a host's pool, a statement that waits for a lock is given up, as the server has no time-out for it", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const pool = new pg.Pool({ connectionString, max: 2 });
  // Without the limit it would wait for days.
  const timeouts = { ...unhurried, lock: 500, query: 2 ** 31 - 1 };
  const storage = await createPostgresStorage({ pool, schema, timeouts });
  const { id } = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const host = await pool.connect();
  await host.query(`begin; select 1 from "${schema}".workspaces where id = ${id} for update`);
  const renamed = storage.workspaces.update(id, { name: "Apex", updatedAt: 2 });
  await expect(renamed).rejects.toThrow(StorageUnavailable);
  await host.query("rollback");
  host.release();
  await storage.close();
  await pool.end();
  await giveBack();
});

test("a call whose statement a host's library gave up rejects once it is rolled back", async () => {
  const { world, openHost, untilWaiting } = await openLockingWorld();
  const { posthorn } = world;
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"], dedupeKey: "order 1" };
  const [first, second] = [await openHost(), await openHost()];
  await posthorn.emails.send(mail, { workspaceId, transaction: first });
  // As of TypeORM, Kysely and others over a pool with a `query_timeout`.
  let gaveUp = 0;
  const transaction = hostTransaction(async (text, values) => {
    const config: TimedQuery = { text, values: [...values], query_timeout: 100 };
    try {
      return await second.query(config);
    } catch (error) {
      gaveUp += 1;
      throw new Error("the query failed", { cause: error });
    }
  });
  const sent = posthorn.emails.send(mail, { workspaceId, transaction });
  const refused = expect(sent).rejects.toThrow(StorageUnavailable);
  await untilWaiting(sent);
  // The statement, and the rollback behind it.
  await eventually(() => gaveUp > 1);
  await first.query("rollback");
  await refused;
  await second.query("commit");
  expect(await posthorn.emails.send(mail, { workspaceId })).not.toHaveProperty("deduplicated", true);
});
