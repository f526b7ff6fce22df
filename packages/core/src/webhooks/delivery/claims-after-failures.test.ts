import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { answering } from "../../../test/webhook-deliveries.ts";
import type { HttpPostResult } from "../../ports/http-sender.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createWorld } from "../../testing/index.ts";

/** Opens a world whose storage can be taken away from its looks for webhook deliveries. */
async function open() {
  const storage = await openTestSqlite();
  const state = { isDown: false, isLocked: false };
  const { look } = storage.webhookDeliveries;
  const webhookDeliveries: typeof storage.webhookDeliveries = {
    ...storage.webhookDeliveries,
    async look(wanted) {
      if (state.isDown) throw new StorageUnavailable("away");
      return look(wanted);
    },
  };
  const transaction: typeof storage.transaction = async (work, holder) => {
    if (!state.isLocked) return storage.transaction(work, holder);
    state.isLocked = false;
    throw new StorageUnavailable("locked", { isLocked: true });
  };
  const world = await createWorld(
    { ...storage, webhookDeliveries, transaction },
    { worker: { pollMs: 1_000 } },
  );
  onTestFinished(() => world.close());
  const { id: workspaceId, asOwner } = await world.addWorkspace();
  const webhook = await world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["email.sent"] },
    asOwner,
  );
  async function queue(): Promise<string> {
    const [id, now] = [randomUUID(), world.clock.now()];
    const delivery = { id, webhookId: webhook.id, workspaceId, event: "webhook.test", payload: "{}" };
    await storage.webhookDeliveries.insert([{ ...delivery, createdAt: now, dueAt: now }]);
    return id;
  }
  const posted = () => world.http.posts.map(({ headers }) => headers["webhook-id"]);
  return { world, storage, state, queue, posted };
}

test("a worker that the storage has just failed leaves others' expired leases for five seconds", async () => {
  const { world, storage, state, queue, posted } = await open();
  const id = await queue();
  const now = world.clock.now();
  const due = await storage.webhookDeliveries.look({ now, most: 1, limit: 1 });
  const wants = due.map(({ row }) => ({ row, limit: 1 }));
  await storage.webhookDeliveries.claim({ wants, now, leaseMs: 30_000 });
  world.clock.advance(30_000);
  state.isDown = true;
  await expect(world.posthorn.drain()).rejects.toThrow("away");
  state.isDown = false;
  world.clock.advance(4_999);
  await world.posthorn.drain();
  expect(posted()).toEqual([]);
  const later = await queue();
  await world.posthorn.drain();
  expect(posted()).toEqual([later]);
  world.clock.advance(1);
  await world.posthorn.drain();
  expect(posted()).toEqual([later, id]);
});

test("one that others' locks keep from storing a result of its own takes expired leases at once", async () => {
  const { world, storage, state, queue, posted } = await open();
  await queue();
  expect(await world.posthorn.drain()).toBe(1);
  world.clock.advance(10_000);
  await queue();
  const now = world.clock.now();
  const due = await storage.webhookDeliveries.look({ now, most: 1, limit: 1 });
  await storage.webhookDeliveries.claim({
    wants: due.map(({ row }) => ({ row, limit: 1 })),
    now,
    leaseMs: 2_000,
  });
  await queue();
  world.http.answerWith(async () => {
    world.http.answerWith();
    world.clock.advance(2_000);
    state.isLocked = true;
    return answering(200)();
  });
  expect(await world.posthorn.drain()).toBe(2);
  expect(posted()).toHaveLength(3);
});

test("a worker takes no delivery from itself that has outlasted its lease", async () => {
  const { world, queue, posted } = await open();
  const answers: ((result: HttpPostResult) => void)[] = [];
  world.http.answerWith(() => new Promise((resolve) => answers.push(resolve)));
  const id = await queue();
  world.posthorn.start();
  await vi.waitFor(() => expect(posted()).toEqual([id]), { timeout: 60_000 });
  world.clock.advance(60_000);
  const other = await queue();
  await world.storage.notify(["webhooks"]);
  await vi.waitFor(() => expect(posted()).toContain(other), { timeout: 60_000 });
  const stopped = world.posthorn.stop();
  for (const answer of answers) answer(answering(200)());
  await stopped;
  expect(posted()).toEqual([id, other]);
});
