import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { Plans } from "../../ports/storage.ts";
import { createWorld } from "../../testing/index.ts";

/** A world with a plan that 1,001 workspaces and a user hold; `unassignSome` replaces the storage's. */
async function openHeldPlan(unassignSome: (own: Plans) => Plans["unassignSome"]) {
  const storage = await openTestSqlite();
  const world = await createWorld({
    ...storage,
    plans: { ...storage.plans, unassignSome: unassignSome(storage.plans) },
  });
  onTestFinished(() => world.close());
  const { id: planId } = await world.posthorn.plans.create({ name: "Pro" });
  const now = world.clock.now();
  await storage.transaction(async ({ workspaces }) => {
    for (let made = 0; made < 1_001; made += 1) {
      const { id } = await workspaces.insert({ name: `${made}`, createdAt: now });
      await workspaces.update(id, { planId, updatedAt: now });
    }
  });
  const { userId } = await world.addUser();
  await world.posthorn.plans.assignToUser({ userId, planId });
  return { world, planId, deleteByForce: () => world.posthorn.plans.delete({ planId, force: true }) };
}

test("a plan of many is deleted by force in pieces, with one event that counts them all", async () => {
  const pieces: unknown[] = [];
  const { world, deleteByForce } = await openHeldPlan((plans) => async (id, limit) => {
    const piece = await plans.unassignSome(id, limit);
    pieces.push(piece);
    return piece;
  });
  await deleteByForce();
  expect(pieces).toEqual([
    { workspaces: 1_000, users: 1 },
    { workspaces: 1, users: 0 },
  ]);
  const { items } = await world.posthorn.events.list({ type: "plan.deleted" });
  expect(items).toMatchObject([{ metadata: { unassigned: { workspaces: 1_001, users: 1 } } }]);
});

test("a deletion by force that breaks off leaves the plan with the rest, and can be repeated", async () => {
  let pieces = 0;
  const { world, planId, deleteByForce } = await openHeldPlan((plans) => async (id, limit) => {
    pieces += 1;
    if (pieces === 2) throw new Error("the process ends");
    return plans.unassignSome(id, limit);
  });
  await expect(deleteByForce()).rejects.toThrow("the process ends");
  expect(await world.storage.plans.countAssignments(planId)).toEqual({ workspaces: 1, users: 0 });
  await deleteByForce();
  expect(await world.storage.plans.find(planId)).toBeUndefined();
});

test("a deletion by force of the default plan leaves it to its holders", async () => {
  const { world, planId, deleteByForce } = await openHeldPlan((plans) => plans.unassignSome);
  await world.posthorn.plans.setDefault({ planId });
  await expect(deleteByForce()).rejects.toMatchObject({ code: "default_plan" });
  expect(await world.storage.plans.countAssignments(planId)).toEqual({ workspaces: 1_001, users: 1 });
});
