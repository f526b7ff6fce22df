import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createWorld } from "../../testing/index.ts";

test("a worker that the storage has just failed leaves others' expired claims for five seconds", async () => {
  const storage = await openTestSqlite();
  let isDown = false;
  const emailQueue = {
    ...storage.emailQueue,
    claims: async () => {
      if (isDown) throw new StorageUnavailable("away");
      return storage.emailQueue.claims();
    },
  };
  const world = await createWorld({ ...storage, emailQueue }, { worker: { pollMs: 1_000 } });
  onTestFinished(() => world.close());
  const shop = world.posthorn.workspace((await world.addWorkspace()).id);
  await shop.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] });
  const now = world.clock.now();
  const { due } = await storage.emailQueue.look(now, 9);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
  await storage.emailQueue.claim({ wants, now, leaseMs: 30_000, worker: "other", maxBytes: 1e9 });
  world.clock.advance(30_000);
  isDown = true;
  await expect(world.posthorn.drain()).rejects.toThrow("away");
  isDown = false;
  world.clock.advance(4_999);
  expect(await world.posthorn.drain()).toBe(0);
  world.clock.advance(1_000);
  expect(await world.posthorn.drain()).toBe(1);
});
