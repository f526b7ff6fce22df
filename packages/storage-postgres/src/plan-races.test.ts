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

test("a plan's deletion by force waits for whoever assigns another to its holder, without a deadlock, and leaves that", async () => {
  let begun = 0;
  const { storage, world, untilWaiting } = await openLockingWorld((storage) => ({
    ...storage,
    transaction: (work, holder) =>
      storage.transaction((repositories) => {
        begun += 1;
        return work(repositories);
      }, holder),
  }));
  const { posthorn } = world;
  const { id: workspaceId } = await world.addWorkspace();
  const [{ id: planId }, { id: otherId }] = [
    await posthorn.plans.create({ name: "Pro" }),
    await posthorn.plans.create({ name: "Basic" }),
  ];
  await posthorn.plans.assignToWorkspace({ workspaceId, planId });
  begun = 0;
  let deleting: Promise<unknown> | undefined;
  let assigned = 0;
  await storage.transaction(async ({ plans, workspaces }) => {
    assigned += 1;
    await workspaces.lock(workspaceId);
    deleting ??= posthorn.plans.delete({ planId, force: true });
    await untilWaiting();
    await plans.lock(otherId);
    await workspaces.update(workspaceId, { planId: otherId, updatedAt: world.clock.now() });
  });
  await deleting;
  expect((await storage.workspaces.find(workspaceId))?.planId).toBe(otherId);
  expect({ assigned, begun }).toEqual({ assigned: 1, begun: 1 });
});

test("of calls that make a plan the default while another does, only the first changes it", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { posthorn } = world;
  const { id: planId } = await posthorn.plans.create({ name: "Pro" });
  let late: Promise<unknown> | undefined;
  await storage.transaction(async ({ plans }) => {
    await plans.setDefault(planId, world.clock.now());
    late ??= posthorn.plans.setDefault({ planId });
    await untilWaiting(late);
  });
  expect(await late).toMatchObject({ id: planId, isDefault: true });
  expect((await posthorn.events.list({ type: "plan.default_set" })).items).toEqual([]);
});

test.each([
  ["deleted", "not_found"],
  ["made the default", "default_plan"],
])("a plan that is just being %s is refused to whoever deletes it then, as %s", async (change, code) => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { posthorn } = world;
  const { id: planId } = await posthorn.plans.create({ name: "Pro" });
  let late: Promise<unknown> | undefined;
  await storage.transaction(async ({ plans }) => {
    if (change === "deleted") await plans.delete(planId);
    else await plans.setDefault(planId, world.clock.now());
    late ??= posthorn.plans.delete({ planId }).catch((error: unknown) => error);
    await untilWaiting(late);
  });
  expect(await late).toMatchObject({ code });
});

test("of the first plans, made at once, each becomes the default, one after another", async () => {
  const { world, untilWaiting, openHost } = await openLockingWorld();
  const { posthorn } = world;
  const host = await openHost();
  const first = await posthorn.plans.create({ name: "Pro", isDefault: true }, { transaction: host });
  const late = posthorn.plans.create({ name: "Basic", isDefault: true });
  await untilWaiting(late);
  await host.query("commit");
  expect(await late).toMatchObject({ name: "Basic", isDefault: true });
  expect(await posthorn.plans.get({ planId: first.id })).toMatchObject({ isDefault: false });
  const { items } = await posthorn.events.list({ type: "plan.created" });
  expect(items.map(({ metadata }) => metadata)).toEqual([
    expect.objectContaining({ name: "Basic", formerDefault: first.id }),
    expect.objectContaining({ name: "Pro", formerDefault: null }),
  ]);
});
