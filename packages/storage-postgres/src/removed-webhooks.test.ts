import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("a send and a delivery succeed while a webhook that would be told of them is deleted", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { posthorn } = world;
  const { id: workspaceId, asOwner } = await world.addWorkspace();
  /** Does the work while a webhook's deletion is about to be committed. */
  const duringDeletion = async <T>(work: () => Promise<T>): Promise<T> => {
    const { id } = await posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["*"] },
      asOwner,
    );
    let working: Promise<T> | undefined;
    await storage.transaction(async ({ webhooks }) => {
      expect(await webhooks.delete(workspaceId, id)).toBeDefined();
      working ??= work();
      await untilWaiting();
    });
    return (await working) as T;
  };

  const { id } = await duringDeletion(() =>
    posthorn.emails.send(
      { subject: "Hi", text: "Hello", to: ["ada@example.com"], scheduledAt: world.clock.now() + 1_000 },
      { workspaceId },
    ),
  );
  world.clock.set(world.clock.now() + 2_000);
  await duringDeletion(() => posthorn.drain());
  expect(await posthorn.emails.get({ emailId: id }, { workspaceId })).toMatchObject({ status: "sent" });
});

test.each([
  "a webhook's deletion waits for a worker that records a failure of it, and neither ends the other",
  "so does its workspace's",
])("%s", async (name) => {
  const { storage, world, untilWaiting, openHost } = await openLockingWorld();
  const { id: workspaceId, asOwner } = await world.addWorkspace();
  const url = "https://hooks.example.com/";
  const { id } = await world.posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
  await world.posthorn.webhooks.test({ webhookId: id }, asOwner);
  const now = world.clock.now();
  const due = await storage.webhookDeliveries.look({ now, most: 1, limit: 1 });
  const wants = due.map(({ row }) => ({ row, limit: 1 }));
  const claimed = await storage.webhookDeliveries.claim({ wants, now, leaseMs: 30_000 });
  const host = await openHost();
  const within = storage.within(host);
  const results = claimed.map(({ delivery, fence }) => ({
    ...{
      id: delivery.id,
      fence,
      responseStatus: 500,
      responseBody: "",
      durationMs: 1,
      error: "answered 500",
    },
    next: { status: "failed" as const, settledAt: now },
  }));
  expect(await within.webhookDeliveries.settle(results, now)).toHaveLength(1);
  const isWorkspaces = name === "so does its workspace's";
  const deleting = isWorkspaces
    ? storage.workspaces.delete(workspaceId)
    : storage.webhooks.delete(workspaceId, id).then((gone) => gone?.id === id);
  await untilWaiting(deleting);
  // Had the deletion locked the webhook before, one of the two would now be ended as a deadlock.
  await host.query("set local lock_timeout = '500ms'");
  expect(await within.webhooks.lock(workspaceId, id)).toBeDefined();
  await host.query("commit");
  expect(await deleting).toBe(true);
});
