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
