import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { codesOf } from "../../test/world-for-each.ts";
import { createWorld, type World } from "../testing/index.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
});
afterEach(() => world.close());

const acme = { externalId: "tenant-7", name: "Acme" };

const typesOf = async (workspaceId: number) =>
  (await world.storage.events.list({ workspaceId }, { offset: 0, limit: 50 })).items.map(({ type }) => type);

describe("a workspace with an external id", () => {
  test("is created once, also by concurrent calls, and sends without any user", async () => {
    const { posthorn } = world;
    const made = await Promise.all(Array.from({ length: 20 }, () => posthorn.workspaces.ensure(acme)));
    const [{ id } = { id: 0 }] = made;
    expect(new Set(made.map((workspace) => workspace.id))).toEqual(new Set([id]));
    expect(await typesOf(id)).toEqual(["workspace.created"]);
    const tenant = posthorn.workspace(id);
    await tenant.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] });
    const { key } = await tenant.apiKeys.create({ name: "site" });
    expect(await posthorn.authenticateApiKey(key)).toMatchObject({ workspaceId: id });
    await posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(1);
  });

  test("is found without a transaction if nothing is to change", async () => {
    const { userId } = await world.addUser();
    const { posthorn, storage } = world;
    const made = await posthorn.workspaces.ensure({ ...acme, userId });
    const transaction = vi.spyOn(storage, "transaction");
    expect(await posthorn.workspaces.ensure(acme)).toEqual(made);
    expect(await posthorn.workspaces.ensure({ ...acme, userId })).toEqual(made);
    expect(transaction).not.toHaveBeenCalled();
  });

  test("follows the host's name", async () => {
    const { id } = await world.posthorn.workspaces.ensure(acme);
    const renamed = await world.posthorn.workspaces.ensure({ ...acme, name: "Acme Inc." });
    expect(renamed).toMatchObject({ id, name: "Acme Inc.", externalId: "tenant-7" });
    expect(await typesOf(id)).toEqual(["workspace.updated", "workspace.created"]);
  });

  test("gets an owner if it has none, who then stays", async () => {
    const { posthorn } = world;
    const [ada, grace] = [await world.addUser(), await world.addUser()];
    const { id } = await posthorn.workspaces.ensure(acme);
    for (const { userId } of [ada, grace]) await posthorn.workspaces.ensure({ ...acme, userId });
    expect((await posthorn.members.list({}, { workspaceId: id })).items).toMatchObject([
      { userId: ada.userId, role: "owner" },
    ]);
    await expect(
      posthorn.workspaces.ensure({ ...acme, externalId: "t-8", userId: 4711 }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await world.storage.workspaces.findByExternalId("t-8")).toBeUndefined();
    const other = await posthorn.workspaces.ensure({ ...acme, externalId: "t-9" });
    await posthorn.workspace(other.id).members.ensure({ userId: ada.userId, role: "viewer" });
    await posthorn.workspaces.ensure({ ...acme, externalId: "t-9", userId: ada.userId });
    const told = await world.storage.events.list({ workspaceId: other.id }, { offset: 0, limit: 1 });
    expect(told.items.map(({ type, metadata }) => [type, JSON.parse(metadata)])).toEqual([
      ["member.role_updated", { user_id: ada.userId, from: "viewer", to: "owner" }],
    ]);
  });
});

describe("a member added by the host", () => {
  test("has the role that was last set, which only the host can set", async () => {
    const { posthorn } = world;
    const { id } = await posthorn.workspaces.ensure(acme);
    const tenant = posthorn.workspace(id);
    const [ada, grace] = [await world.addUser(), await world.addUser()];
    await tenant.members.ensure({ userId: ada.userId, role: "owner" });
    for (const role of ["admin", "editor", "editor"] as const)
      expect(await tenant.members.ensure({ userId: grace.userId, role })).toMatchObject({ role });
    expect(await typesOf(id)).toEqual([
      "member.role_updated",
      "member.added",
      "member.added",
      "workspace.created",
    ]);
    const refused = await codesOf([
      tenant.members.ensure({ userId: grace.userId, role: "owner" }),
      tenant.members.ensure({ userId: ada.userId, role: "viewer" }),
      tenant.members.ensure({ userId: 4711, role: "viewer" }),
      tenant.as(ada).members.ensure({ userId: grace.userId, role: "admin" }),
    ]);
    expect(refused).toEqual(["owner_role_not_assignable", "owner_role_immutable", "not_found", "forbidden"]);
  });

  test("gets no owner beyond the owner's plan, by whichever verb", async () => {
    const { posthorn } = world;
    const plan = await posthorn.plans.create({ name: "One", maxWorkspaces: 1 });
    const { userId } = await world.addUser();
    await posthorn.plans.assignToUser({ userId, planId: plan.id });
    await posthorn.workspaces.createFor({ name: "Own", userId });
    const { id: workspaceId } = await posthorn.workspaces.ensure({ externalId: "more", name: "More" });
    const codes = await codesOf([
      posthorn.workspaces.ensure({ externalId: "more", name: "More", userId }),
      posthorn.members.ensure({ userId, role: "owner" }, { workspaceId }),
      posthorn.members.add({ workspaceId, userId, role: "owner" }),
    ]);
    expect(codes).toEqual(Array(3).fill("plan_limit_reached"));
    await expect(posthorn.members.ensure({ userId, role: "admin" }, { workspaceId })).resolves.toBeDefined();
  });

  test("keeps the number and the time of joining when the role changes, also to owner", async () => {
    const { posthorn } = world;
    const { id } = await posthorn.workspaces.ensure(acme);
    const tenant = posthorn.workspace(id);
    const { userId } = await world.addUser();
    const { role: _, ...joined } = await tenant.members.ensure({ userId, role: "viewer" });
    world.clock.advance(86_400_000);
    expect(await tenant.members.ensure({ userId, role: "editor" })).toMatchObject(joined);
    await posthorn.workspaces.ensure({ ...acme, userId });
    expect((await tenant.members.list()).items).toEqual([{ ...joined, role: "owner" }]);
  });

  test("loses open invitations with the role that allowed them", async () => {
    const { posthorn } = world;
    const { id } = await posthorn.workspaces.ensure(acme);
    const tenant = posthorn.workspace(id);
    for (const role of ["editor", "viewer"] as const) {
      const inviter = await world.addUser();
      await tenant.members.ensure({ userId: inviter.userId, role: "admin" });
      const guest = `${role}@example.com`;
      await tenant.as(inviter).invitations.create({ email: guest, role: "viewer" });
      await tenant.members.ensure({ userId: inviter.userId, role: "admin" });
      expect((await tenant.invitations.list()).items).toMatchObject([{ email: guest }]);
      await tenant.members.ensure({ userId: inviter.userId, role });
      expect((await tenant.invitations.list()).items).toEqual([]);
    }
  });
});
