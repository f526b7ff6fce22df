import { describe, expect, test } from "vitest";
import {
  create,
  email,
  eventsOf,
  login,
  openUserWorldForEach,
  other,
  password,
  works,
  world,
} from "../../../test/user-for-each.ts";

openUserWorldForEach();

describe("deleting an account", () => {
  test("removes logins, memberships and open invitations, and preserves names in the log", async () => {
    const user = await create();
    const { token, as } = await login();
    const workspace = await world.addWorkspace();
    const membership = { workspaceId: workspace.id, userId: user.id, role: "admin", createdAt: 1 } as const;
    await world.storage.members.insert(membership);
    await world.posthorn.invitations.create({ email: "eve@example.com", role: "viewer" }, workspace.as(as));
    const remove = (given: string) => world.posthorn.users.deleteMe({ password: given }, { as });
    await expect(remove(other)).rejects.toMatchObject({
      details: [expect.objectContaining({ path: "password" })],
    });
    await expect(remove(password)).resolves.toBeDefined();
    expect(await works(token)).toBe(false);
    expect(await world.storage.users.find(user.id)).toBeUndefined();
    expect(await world.storage.members.roleOf(workspace.id, user.id)).toBeUndefined();
    expect((await world.posthorn.invitations.list({}, workspace.asOwner)).items).toEqual([]);
    expect((await eventsOf(user.id))[0]).toMatchObject({ type: "user.deleted" });
    const { items } = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
    expect(items.find(({ type }) => type === "invitation.created")).toMatchObject({ actorName: "Ada" });
    expect(items.find(({ type }) => type === "member.removed")).toMatchObject({
      message: "Ada left the workspace",
      metadata: { userId: user.id, role: "admin" },
    });
    await world.posthorn.drain();
    expect(world.mailer.inbox.find({ to: email, subject: "Your account has been deleted" })).toBeDefined();
    // The address is free again, but the number is not reused.
    expect((await create()).id).toBeGreaterThan(user.id);
  });

  test("by an administrator is in the audit log of each workspace that loses the member", async () => {
    const [one, two, neither] = [
      await world.addWorkspace(),
      await world.addWorkspace(),
      await world.addWorkspace(),
    ];
    const { userId } = await one.addMember("editor");
    await world.storage.members.insert({ workspaceId: two.id, userId, role: "viewer", createdAt: 1 });
    await world.posthorn.users.delete({ userId }, { as: await world.addUser({ admin: true, name: "Root" }) });
    const logged = async ({ asOwner }: typeof one) => {
      const { items } = await world.posthorn.auditLog.listForWorkspace({}, asOwner);
      return items
        .filter(({ type }) => type === "member.removed")
        .map((each) => [each.message, each.metadata]);
    };
    const entry = (role: string) => ["Root removed a member", { userId, role }];
    expect([await logged(one), await logged(two), await logged(neither)]).toEqual([
      [entry("editor")],
      [entry("viewer")],
      [],
    ]);
  });

  test("is refused while the user owns workspaces", async () => {
    const { posthorn } = world;
    const workspace = await world.addWorkspace({ name: "Shop" });
    const userId = workspace.owner.userId;
    await expect(posthorn.users.delete({ userId })).rejects.toMatchObject({ code: "owns_workspaces" });
    await posthorn.workspaces.delete({ name: "Shop" }, workspace.asOwner);
    await posthorn.users.delete({ userId });
    await expect(posthorn.users.delete({ userId })).rejects.toMatchObject({ code: "not_found" });
    const someone = await world.addUser();
    await expect(posthorn.users.delete({ userId: 1 }, { as: someone })).rejects.toMatchObject({
      code: "administrator_required",
    });
  });
});
