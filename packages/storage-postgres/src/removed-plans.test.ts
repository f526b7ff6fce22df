import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("a plan that is just being assigned is deleted by force, and unassigned", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { posthorn } = world;
  const admin = { as: await world.addUser({ admin: true, email: "admin@example.com" }) };
  const { id: workspaceId } = await world.addWorkspace();
  const { id: planId } = await posthorn.plans.create({ name: "Pro" }, admin);
  let deleting: Promise<unknown> | undefined;
  await storage.transaction(async ({ plans, workspaces }) => {
    await plans.lock(planId);
    await workspaces.update(workspaceId, { planId, updatedAt: world.clock.now() });
    deleting ??= posthorn.plans.delete({ planId, force: true }, admin);
    await untilWaiting();
  });
  await deleting;
  expect(await storage.plans.find(planId)).toBeUndefined();
  expect((await storage.workspaces.find(workspaceId))?.planId).toBeUndefined();
});
