import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { codesOf } from "../../test/world-for-each.ts";
import type { UserCaller } from "../calls/caller.ts";
import { createWorld, type World } from "../testing/index.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite(), {
    webhooks: { maxRetries: 5 },
  });
});
afterEach(() => world.close());

/** Assigns the user a plan of their own. */
async function assignPlan(user: UserCaller, maxWorkspaces: number): Promise<void> {
  const plan = await world.posthorn.plans.create({ name: `Plan of ${user.userId}`, maxWorkspaces });
  await world.storage.users.update(user.userId, { planId: plan.id });
}

const eventsOf = async (workspaceId: number) =>
  (await world.storage.events.list({ workspaceId }, { offset: 0, limit: 50 })).items;

describe("creating a workspace", () => {
  test("makes the caller its owner, with the default settings and one event", async () => {
    const user = await world.addUser({ name: "Ada" });
    const made = await world.posthorn.workspaces.create({ name: "  Lovelace  " }, { as: user });
    expect(made).toEqual({
      id: expect.any(Number),
      name: "Lovelace",
      role: "owner",
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(await world.storage.members.roleOf(made.id, user.userId)).toBe("owner");
    expect(await world.storage.settings.find(made.id)).toMatchObject({
      timezone: "UTC",
      defaultSenderName: "",
      defaultSenderEmail: "",
      webhookRetryCount: 5,
      apiKeyExpiryDays: 90,
      dkimRotationDays: 0,
      contentRetentionDays: 0,
      bounceAutoSuppress: true,
      requireVerifiedDomain: false,
    });
    expect(await eventsOf(made.id)).toMatchObject([
      { type: "workspace.created", actorId: user.userId, metadata: '{"name":"Lovelace"}' },
    ]);
  });

  test.each(["", "   ", "two\nlines", "x".repeat(101)])("refuses the name %j", async (name) => {
    const user = await world.addUser();
    await expect(world.posthorn.workspaces.create({ name }, { as: user })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "name" }],
    });
  });

  test("requires a user, and names the verb for hosts", async () => {
    await expect(
      Reflect.apply(world.posthorn.workspaces.create, undefined, [{ name: "A" }]),
    ).rejects.toMatchObject({
      code: "unauthenticated",
      message: expect.stringContaining("or call workspaces.createFor"),
    });
  });

  test("is limited by the user's plan, exactly, also when many are created at once", async () => {
    const user = await world.addUser();
    await assignPlan(user, 2);
    const codes = await codesOf(
      Array.from({ length: 20 }, (_, index) =>
        world.posthorn.workspaces.create({ name: `W${index}` }, { as: user }),
      ),
    );
    expect(codes.filter((code) => code === "ok")).toHaveLength(2);
    expect(codes.filter((code) => code === "plan_limit_reached")).toHaveLength(18);
    await expect(world.posthorn.workspaces.create({ name: "More" }, { as: user })).rejects.toMatchObject({
      details: { limit: "max_workspaces", value: 2, used: 2 },
    });
    expect((await world.posthorn.workspaces.list({}, { as: user })).total).toBe(2);
  });

  test("uses the default plan if the user has none, and counts only owned workspaces", async () => {
    await world.posthorn.plans.create({ name: "Free", maxWorkspaces: 1, isDefault: true });
    const user = await world.addUser();
    const { id } = await world.addWorkspace();
    await world.storage.members.insert({
      workspaceId: id,
      userId: user.userId,
      role: "admin",
      createdAt: world.clock.now(),
    });
    await world.posthorn.workspaces.create({ name: "Mine" }, { as: user });
    const { userId } = user;
    for (const more of [
      world.posthorn.workspaces.create({ name: "More" }, { as: user }),
      world.posthorn.workspaces.createFor({ name: "More", userId }),
    ])
      await expect(more).rejects.toMatchObject({ code: "plan_limit_reached" });
  });
});

describe("listing workspaces", () => {
  test("shows the caller's only, newest first, with their role, paged from 0", async () => {
    const { owner, id: first } = await world.addWorkspace({ name: "First" });
    const { id: second } = await world.addWorkspace({ name: "Second", owner });
    const other = await world.addWorkspace({ name: "Other" });
    await world.storage.members.insert({
      workspaceId: other.id,
      userId: owner.userId,
      role: "viewer",
      createdAt: world.clock.now(),
    });
    await world.addWorkspace({ name: "Foreign" });
    const page = await world.posthorn.workspaces.list({ size: 2 }, { as: owner });
    expect(page).toMatchObject({ total: 3, page: 0, size: 2 });
    expect(page.items.map(({ id, role }) => [id, role])).toEqual([
      [other.id, "viewer"],
      [second, "owner"],
    ]);
    expect((await world.posthorn.workspaces.list({ page: 1, size: 2 }, { as: owner })).items).toMatchObject([
      { id: first, role: "owner" },
    ]);
  });

  test("shows all to administrators, by a part of the name", async () => {
    const admin = await world.addUser({ admin: true });
    const { id, owner } = await world.addWorkspace({ name: "Analytical Engine" });
    await world.addWorkspace({ name: "Difference" });
    expect(await world.posthorn.workspaces.listAll({ q: "ENGINE" }, { as: admin })).toMatchObject({
      total: 1,
      items: [{ id, name: "Analytical Engine" }],
    });
    expect((await world.posthorn.workspaces.listAll({})).total).toBe(2);
    await expect(world.posthorn.workspaces.listAll({}, { as: owner })).rejects.toMatchObject({
      code: "administrator_required",
    });
  });
});

test("a name is found with its accents in any form", async () => {
  const admin = await world.addUser({ admin: true });
  const { id } = await world.addWorkspace({ name: "Cafe\u0301" });
  for (const q of ["cafe\u0301", "caf\u00e9"])
    expect((await world.posthorn.workspaces.listAll({ q }, { as: admin })).items).toMatchObject([{ id }]);
});

describe("one workspace", () => {
  test("is read by every member, and by nobody else: foreign and missing ones get the same error", async () => {
    const workspace = await world.addWorkspace({ name: "Shop" });
    const viewer = await workspace.addMember("viewer");
    expect(await world.posthorn.workspaces.get({}, workspace.as(viewer))).toMatchObject({
      id: workspace.id,
      name: "Shop",
      role: "viewer",
    });
    const stranger = await world.addUser();
    const codes = await codesOf([
      world.posthorn.workspaces.get({}, workspace.as(stranger)),
      world.posthorn.workspaces.get({}, { as: stranger, workspaceId: 4711 }),
      Reflect.apply(world.posthorn.workspaces.get, undefined, [{}, { as: stranger }]),
    ]);
    expect(codes).toEqual(["not_a_member", "not_a_member", "workspace_required"]);
  });

  test("that does not exist is not found, for an operator too", async () => {
    const nowhere = { workspaceId: 4711 };
    const { posthorn } = world;
    const codes = await codesOf([
      posthorn.workspaces.get({}, nowhere),
      posthorn.templates.create({ name: "welcome", text: "Hi" }, nowhere),
      posthorn.apiKeys.create({ name: "shop" }, nowhere),
      posthorn.members.list({}, nowhere),
    ]);
    expect(codes).toEqual(["not_found", "not_found", "not_found", "not_found"]);
  });

  test("is renamed by its managers, with one event with both names", async () => {
    const workspace = await world.addWorkspace({ name: "Old" });
    const admin = await workspace.addMember("admin");
    const updated = await world.posthorn.workspaces.update({ name: "New" }, workspace.as(admin));
    expect(updated).toMatchObject({ name: "New", role: "admin" });
    await world.posthorn.workspaces.update({ name: "New" }, workspace.as(admin));
    const events = (await eventsOf(workspace.id)).filter(({ type }) => type === "workspace.updated");
    expect(events.map(({ metadata }) => JSON.parse(metadata))).toEqual([
      { changes: { name: { from: "Old", to: "New" } } },
    ]);
    const editor = await workspace.addMember("editor");
    const codes = await codesOf([
      world.posthorn.workspaces.update({ name: "X" }, workspace.as(editor)),
      world.posthorn.workspaces.update({}, workspace.as(admin)),
    ]);
    expect(codes).toEqual(["forbidden", "validation_failed"]);
  });

  test("is deleted by its name decomposed, however long that is", async () => {
    const name = "\u1ec7".repeat(100);
    const workspace = await world.addWorkspace({ name });
    await world.posthorn.workspaces.delete({ name: ` ${name.normalize("NFD")} ` }, workspace.asOwner);
    expect(await world.storage.workspaces.find(workspace.id)).toBeUndefined();
  });

  test("is deleted by its owner only, confirming with its name", async () => {
    const workspace = await world.addWorkspace({ name: "Shop" });
    const admin = await workspace.addMember("admin");
    const codes = await codesOf([
      world.posthorn.workspaces.delete({ name: "Shop" }, workspace.as(admin)),
      world.posthorn.workspaces.delete({ name: "shop" }, workspace.asOwner),
    ]);
    expect(codes).toEqual(["forbidden", "validation_failed"]);
    await world.posthorn.workspaces.delete({ name: "Shop" }, workspace.asOwner);
    expect(await world.storage.workspaces.find(workspace.id)).toBeUndefined();
    await expect(world.posthorn.workspaces.get({}, workspace.asOwner)).rejects.toMatchObject({
      code: "not_a_member",
    });
    const { items } = await world.storage.events.list(
      { workspaceId: "all", type: "workspace.deleted" },
      { offset: 0, limit: 5 },
    );
    expect(items.map(({ metadata }) => JSON.parse(metadata))).toEqual([{ id: workspace.id, name: "Shop" }]);
  });
});

describe("transferring the ownership", () => {
  test("makes the member owner and the owner admin", async () => {
    const workspace = await world.addWorkspace();
    const editor = await workspace.addMember("editor");
    const answer = await world.posthorn.workspaces.transferOwnership(
      { userId: editor.userId },
      workspace.asOwner,
    );
    expect(answer).toMatchObject({ id: workspace.id, role: "admin" });
    expect(await world.storage.members.findOwner(workspace.id)).toMatchObject({ userId: editor.userId });
    expect(await world.storage.members.roleOf(workspace.id, workspace.owner.userId)).toBe("admin");
    expect((await eventsOf(workspace.id))[0]).toMatchObject({
      type: "workspace.ownership_transferred",
      metadata: JSON.stringify({ from: workspace.owner.userId, to: editor.userId }),
    });
  });

  test("is refused to admins, to oneself, to non-members and beyond the new owner's plan", async () => {
    const workspace = await world.addWorkspace();
    const admin = await workspace.addMember("admin");
    const stranger = await world.addUser();
    const full = await workspace.addMember("viewer");
    await assignPlan(full, 1);
    await world.posthorn.workspaces.create({ name: "Own" }, { as: full });
    const codes = await codesOf([
      world.posthorn.workspaces.transferOwnership({ userId: admin.userId }, workspace.as(admin)),
      world.posthorn.workspaces.transferOwnership({ userId: workspace.owner.userId }, workspace.asOwner),
      world.posthorn.workspaces.transferOwnership({ userId: stranger.userId }, workspace.asOwner),
      world.posthorn.workspaces.transferOwnership({ userId: full.userId }, workspace.asOwner),
    ]);
    expect(codes).toEqual(["forbidden", "validation_failed", "not_found", "plan_limit_reached"]);
    expect(await world.storage.members.findOwner(workspace.id)).toMatchObject({
      userId: workspace.owner.userId,
    });
  });

  test("leaves exactly one owner after concurrent transfers", async () => {
    const workspace = await world.addWorkspace();
    const heirs = await Promise.all(Array.from({ length: 10 }, () => workspace.addMember("admin")));
    const codes = await codesOf(
      heirs.map(({ userId }) => world.posthorn.workspaces.transferOwnership({ userId }, workspace.asOwner)),
    );
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    const owners = (await world.storage.members.list(workspace.id, 0, 99)).filter(
      ({ role }) => role === "owner",
    );
    expect(owners).toHaveLength(1);
  });
});
