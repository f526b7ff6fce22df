import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("a URL that changes while the former one's 410 is recorded is not disabled by it", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { posthorn } = world;
  const { id: workspaceId, asOwner } = await world.addWorkspace();
  const { id: webhookId } = await posthorn.webhooks.create(
    { url: "https://former.example.com/", events: ["*"] },
    asOwner,
  );
  await posthorn.webhooks.test({ webhookId }, asOwner);
  world.http.answerWith(async () => ({ kind: "response", status: 410, body: "", durationMs: 1 }));
  let delivering: Promise<unknown> | undefined;
  await storage.transaction(async ({ webhooks }) => {
    const changes = { url: "https://new.example.com/", updatedAt: world.clock.now() };
    await webhooks.update(workspaceId, webhookId, changes);
    delivering ??= posthorn.drain();
    await untilWaiting(delivering);
  });
  await delivering;
  expect(world.http.posts.map(({ url }) => url)).toEqual(["https://former.example.com/"]);
  expect((await posthorn.webhooks.get({ webhookId }, asOwner)).isActive).toBe(true);
});
