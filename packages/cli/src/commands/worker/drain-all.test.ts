import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { drainAll } from "./drain-all.ts";

test("delivers what a worker that is gone had in hand, and waits for nothing else", async () => {
  const storage = await openTestSqlite();
  const before = await createWorld(storage);
  onTestFinished(() => before.close());
  const { clock } = before;
  const { id: workspaceId } = await before.addWorkspace();
  const send = () =>
    before.posthorn.emails.send({ to: ["ada@example.com"], subject: "s", text: "t" }, { workspaceId });
  /** Runs a new process each time; returns what it delivered, and how often it waited. */
  const runOnce = async (signal = new AbortController().signal) => {
    const { posthorn } = await createWorld(storage, { clock });
    let rests = 0;
    const rest = async () => {
      rests += 1;
      clock.advance(5_000);
    };
    return [await drainAll(posthorn, { signal, onHandled: () => {} }, rest), rests];
  };
  await send();
  expect(await runOnce()).toEqual([1, 0]);

  await send();
  const { due } = await storage.emailQueue.look(clock.now(), 9);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
  await storage.operations.beat("killed", clock.now());
  const order = { wants, now: clock.now(), leaseMs: 30_000, worker: "killed", maxBytes: 1e9 };
  expect(await storage.emailQueue.claim(order)).toHaveLength(1);
  // It may be alive, as its last heartbeat is recent.
  expect(await runOnce()).toEqual([0, 0]);
  clock.advance(31_000);
  expect(await runOnce(AbortSignal.abort())).toEqual([0, 0]);
  expect(await runOnce()).toEqual([1, 3]);
  expect(await runOnce()).toEqual([0, 0]);

  const { id: webhookId } = await before.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["email.queued"] },
    { workspaceId },
  );
  await send();
  const [endpoint] = await storage.webhookDeliveries.look({ now: clock.now(), most: 1, limit: 1 });
  const hooks = [{ row: endpoint?.row ?? 0, limit: 1 }];
  await storage.webhookDeliveries.claim({ wants: hooks, now: clock.now(), leaseMs: 30_000 });
  clock.advance(31_000);
  expect(await runOnce()).toEqual([2, 1]);
  const { items } = await before.posthorn.webhooks.listDeliveries({ webhookId }, { workspaceId });
  expect(items).toMatchObject([{ status: "delivered" }]);
  expect(await runOnce()).toEqual([0, 0]);
});
