import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { codesOf } from "../../../test/world-for-each.ts";
import { createWorld, type World } from "../../testing/index.ts";
import type { CallOptions } from "../../verbs/index.ts";
import { findLimits, unlimited } from "./effective-plan.ts";

let world: World;
let administrator: CallOptions;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  administrator = { as: await world.addUser({ admin: true }) };
});
afterEach(() => world.close());

const create = (name: string, fields: object = {}) =>
  world.posthorn.plans.create({ name, ...fields }, administrator);
const update = (planId: number, fields: object) =>
  world.posthorn.plans.update({ planId, ...fields }, administrator);
const remove = (planId: number, force = false) =>
  world.posthorn.plans.delete({ planId, force }, administrator);
const setDefault = (planId: number) => world.posthorn.plans.setDefault({ planId }, administrator);
const assign = (workspaceId: number, planId: number) =>
  world.posthorn.plans.assignToWorkspace({ workspaceId, planId }, administrator);
const defaults = async () =>
  (await world.posthorn.plans.list({}, administrator)).items.filter(({ isDefault }) => isDefault);
const lastEvent = async () => {
  const { items } = await world.posthorn.events.list({ size: 1 }, administrator);
  const [event] = items;
  return { type: event?.type, metadata: event?.metadata };
};

describe("plans", () => {
  test("are active, not the default, and unlimited unless stated otherwise", async () => {
    const now = world.clock.now();
    const plan = await create("Free");
    expect(plan).toEqual({
      ...unlimited,
      id: plan.id,
      name: "Free",
      description: "",
      isDefault: false,
      isActive: true,
      createdAt: now,
      updatedAt: now,
    });
    expect(await world.posthorn.plans.get({ planId: plan.id }, administrator)).toEqual(plan);
    expect((await lastEvent()).metadata).toEqual({ planId: plan.id, name: "Free", formerDefault: null });
  });

  test("are listed with their limits", async () => {
    const free = await create("Free", { dailyRateLimit: 100, maxApiKeys: 2 });
    const paid = await create("Paid");
    expect((await world.posthorn.plans.list({}, administrator)).items).toEqual([free, paid]);
    expect(free).toMatchObject({ dailyRateLimit: 100, maxApiKeys: 2, hourlyRateLimit: 0 });
  });

  test.each([
    ["a negative limit", { dailyRateLimit: -1 }, "dailyRateLimit"],
    ["half a limit", { maxApiKeys: 1.5 }, "maxApiKeys"],
    ["a limit beyond an integer", { maxBatchSize: 2 ** 31 }, "maxBatchSize"],
    ["an empty name", { name: " " }, "name"],
    ["an unknown field", { limit: 1 }, "limit"],
    ["an inactive default", { isActive: false, isDefault: true }, "isDefault"],
  ])("refuse %s", async (_what, fields, path) => {
    await expect(create("Free", fields)).rejects.toMatchObject({
      code: "validation_failed",
      details: [expect.objectContaining({ path })],
    });
  });

  test("have unique names, at creation and at a change", async () => {
    await create("Free");
    const paid = await create("Paid");
    await expect(create("Free")).rejects.toMatchObject({ code: "plan_name_taken" });
    await expect(update(paid.id, { name: "Free" })).rejects.toMatchObject({ code: "plan_name_taken" });
  });

  test("change in the given fields only, and record what changed", async () => {
    const plan = await create("Free", { maxDomains: 3, description: "for all" });
    world.clock.advance(1000);
    const updated = await update(plan.id, { maxDomains: 5, isActive: false, name: "Free" });
    expect(updated).toEqual({ ...plan, maxDomains: 5, isActive: false, updatedAt: world.clock.now() });
    expect(await lastEvent()).toMatchObject({
      type: "plan.updated",
      metadata: {
        planId: plan.id,
        changes: { max_domains: { from: 3, to: 5 }, is_active: { from: true, to: false } },
      },
    });
  });

  test("refuse an empty change and an unknown plan", async () => {
    const plan = await create("Free");
    await expect(update(plan.id, {})).rejects.toMatchObject({ code: "validation_failed" });
    expect(
      await codesOf([
        update(999, { name: "x" }),
        remove(999),
        setDefault(999),
        world.posthorn.plans.get({ planId: 999 }, administrator),
      ]),
    ).toEqual(new Array(4).fill("not_found"));
  });

  test("are for administrators", async () => {
    const user = await world.addUser();
    await expect(world.posthorn.plans.create({ name: "Free" }, { as: user })).rejects.toMatchObject({
      code: "administrator_required",
    });
  });
});

describe("the default plan", () => {
  test("is the one last set; the previous one is unset", async () => {
    const basic = await create("Basic", { isDefault: true });
    const free = await create("Free", { isDefault: true });
    expect((await lastEvent()).metadata).toMatchObject({ planId: free.id, formerDefault: basic.id });
    const paid = await create("Paid");
    expect(free.isDefault).toBe(true);
    expect(await setDefault(paid.id)).toMatchObject({ id: paid.id, isDefault: true });
    expect((await defaults()).map(({ id }) => id)).toEqual([paid.id]);
    expect((await lastEvent()).metadata).toEqual({ planId: paid.id, from: free.id });
  });

  test("is one at most, also when many are set at once", async () => {
    const plans = await Promise.all(Array.from({ length: 10 }, (_, n) => create(`Plan ${n}`)));
    await Promise.all([
      ...plans.map(({ id }) => setDefault(id)),
      ...plans.map(({ id }) => update(id, { isDefault: true })),
      create("One more", { isDefault: true }),
    ]);
    expect(await defaults()).toHaveLength(1);
  });

  test("can't be deleted, not even by force, nor deactivated", async () => {
    const plan = await create("Free", { isDefault: true });
    await expect(remove(plan.id)).rejects.toMatchObject({ code: "default_plan" });
    await expect(remove(plan.id, true)).rejects.toMatchObject({ code: "default_plan" });
    await expect(update(plan.id, { isActive: false })).rejects.toMatchObject({ code: "default_plan" });
    await expect(update(plan.id, { isActive: false, isDefault: true })).rejects.toMatchObject({
      code: "default_plan",
    });
    expect(await defaults()).toMatchObject([{ id: plan.id, isActive: true }]);
  });

  test("can't be an inactive plan, unless the same change activates it", async () => {
    const plan = await create("Old", { isActive: false });
    await expect(setDefault(plan.id)).rejects.toMatchObject({ code: "validation_failed" });
    await expect(update(plan.id, { isDefault: true })).rejects.toMatchObject({ code: "validation_failed" });
    expect(await defaults()).toEqual([]);
    expect(await update(plan.id, { isDefault: true, isActive: true })).toMatchObject({ isDefault: true });
  });

  test("can be unset; unsetting another plan has no effect", async () => {
    const plan = await create("Free", { isDefault: true });
    const other = await create("Paid");
    await update(other.id, { isDefault: false });
    expect(await defaults()).toHaveLength(1);
    expect(await update(plan.id, { isDefault: false, isActive: false })).toMatchObject({
      isDefault: false,
      isActive: false,
    });
    expect(await defaults()).toEqual([]);
  });

  test("concurrent deactivation and setting as default leave a plan as one or the other", async () => {
    const plan = await create("Free");
    await Promise.allSettled([setDefault(plan.id), update(plan.id, { isActive: false })]);
    const after = await world.posthorn.plans.get({ planId: plan.id }, administrator);
    expect(after.isDefault).toBe(after.isActive);
  });
});

describe("assignment", () => {
  test("applies to a workspace instead of the default plan", async () => {
    const workspace = await world.addWorkspace();
    const current = () => world.posthorn.plans.getCurrent({}, workspace.asOwner);
    const assigned = () => world.posthorn.plans.getForWorkspace({ workspaceId: workspace.id }, administrator);
    const none = { code: "not_found", message: expect.stringContaining("everything is unlimited") };
    await expect(current()).rejects.toMatchObject(none);
    await expect(assigned()).rejects.toMatchObject(none);

    const free = await create("Free", { isDefault: true });
    expect(await current()).toEqual(free);
    expect(await assigned()).toEqual({
      workspaceId: workspace.id,
      planId: free.id,
      plan: free,
      source: "default",
    });

    const paid = await create("Paid");
    expect(await assign(workspace.id, paid.id)).toEqual({
      workspaceId: workspace.id,
      planId: paid.id,
      plan: paid,
    });
    expect(await current()).toEqual(paid);
    expect(await assigned()).toMatchObject({ planId: paid.id, source: "assigned" });
    const log = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
    expect(log.items[0]).toMatchObject({
      type: "workspace.plan_assigned",
      metadata: { from: null, to: paid.id },
    });

    await world.posthorn.plans.unassignFromWorkspace({ workspaceId: workspace.id }, administrator);
    expect(await current()).toEqual(free);
  });

  test("applies to a user likewise", async () => {
    const { userId } = await world.addUser();
    const assigned = () => world.posthorn.plans.getForUser({ userId }, administrator);
    await expect(assigned()).rejects.toMatchObject({ code: "not_found" });
    const plan = await create("Free", { maxWorkspaces: 2 });
    const answer = await world.posthorn.plans.assignToUser({ userId, planId: plan.id }, administrator);
    expect(answer).toEqual({ userId, planId: plan.id, plan });
    expect(await assigned()).toEqual({ userId, planId: plan.id, plan, source: "assigned" });
    expect(await lastEvent()).toMatchObject({
      type: "user.plan_assigned",
      metadata: { userId, from: null, to: plan.id },
    });
    await world.posthorn.plans.unassignFromUser({ userId }, administrator);
    await expect(assigned()).rejects.toMatchObject({ code: "not_found" });
  });

  test("refuses an inactive plan; existing assignments stay", async () => {
    const [one, two] = [await world.addWorkspace(), await world.addWorkspace()];
    const { userId } = await world.addUser();
    const plan = await create("Old");
    await assign(one.id, plan.id);
    await update(plan.id, { isActive: false });
    await expect(assign(two.id, plan.id)).rejects.toMatchObject({ code: "validation_failed" });
    await expect(
      world.posthorn.plans.assignToUser({ userId, planId: plan.id }, administrator),
    ).rejects.toMatchObject({ code: "validation_failed" });
    expect(await world.posthorn.plans.getCurrent({}, one.asOwner)).toMatchObject({ id: plan.id });
  });

  test("refuses unknown plans, workspaces and users", async () => {
    const { id } = await world.addWorkspace();
    const plan = await create("Free");
    expect(
      await codesOf([
        assign(999, plan.id),
        assign(id, 999),
        world.posthorn.plans.assignToUser({ userId: 999, planId: plan.id }, administrator),
        world.posthorn.plans.getForUser({ userId: 999 }, administrator),
        world.posthorn.plans.getForWorkspace({ workspaceId: 999 }, administrator),
      ]),
    ).toEqual(new Array(5).fill("not_found"));
  });

  test("prevents a plan's deletion, except by force", async () => {
    const workspace = await world.addWorkspace();
    const { userId } = await world.addUser();
    const plan = await create("Free");
    await assign(workspace.id, plan.id);
    await world.posthorn.plans.assignToUser({ userId, planId: plan.id }, administrator);
    await expect(remove(plan.id)).rejects.toMatchObject({
      code: "plan_in_use",
      details: { workspaces: 1, users: 1 },
    });
    await world.posthorn.plans.unassignFromWorkspace({ workspaceId: workspace.id }, administrator);
    await expect(remove(plan.id)).rejects.toMatchObject({ code: "plan_in_use" });
    await assign(workspace.id, plan.id);
    await remove(plan.id, true);
    expect(await lastEvent()).toEqual({
      type: "plan.deleted",
      metadata: { planId: plan.id, name: "Free", force: true, unassigned: { workspaces: 1, users: 1 } },
    });
    expect((await world.storage.workspaces.find(workspace.id))?.planId).toBeUndefined();
    expect((await world.storage.users.find(userId))?.planId).toBeUndefined();
  });

  test("an unassigned plan is deleted without force", async () => {
    const plan = await create("Free");
    await remove(plan.id);
    expect((await world.posthorn.plans.list({}, administrator)).items).toEqual([]);
  });

  test("concurrently with deletion, no workspace is left with a deleted plan", async () => {
    const workspace = await world.addWorkspace();
    const plan = await create("Free");
    await Promise.allSettled([assign(workspace.id, plan.id), remove(plan.id)]);
    const after = await world.storage.workspaces.find(workspace.id);
    const left = await world.storage.plans.find(plan.id);
    expect(after?.planId).toBe(left?.id);
  });
});

test("limits are those of the assigned plan, else of the default, else there are none", async () => {
  const free = await create("Free", { hourlyRateLimit: 5 });
  expect(await findLimits(world.storage, { planId: undefined })).toEqual(unlimited);
  expect(await findLimits(world.storage, { planId: free.id })).toMatchObject({ hourlyRateLimit: 5 });
  await setDefault(free.id);
  expect(await findLimits(world.storage, { planId: undefined })).toMatchObject({ hourlyRateLimit: 5 });
});
