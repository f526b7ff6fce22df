import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { codesOf } from "../../../test/world-for-each.ts";
import { createWorld, type TestWorkspace, type World } from "../../testing/index.ts";

let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  workspace = await world.addWorkspace({ name: "Shop" });
});
afterEach(() => world.close());

const eventsOfType = async (type: string) =>
  (await world.storage.events.list({ workspaceId: workspace.id, type }, { offset: 0, limit: 50 })).items;

const roleOf = (userId: number) => world.storage.members.roleOf(workspace.id, userId);

const invite = (email: string, inviter: Parameters<TestWorkspace["as"]>[0]) =>
  world.posthorn.invitations.create({ email, role: "viewer" }, workspace.as(inviter));

test("every member reads the list, oldest first, without anything secret", async () => {
  const viewer = await workspace.addMember("viewer");
  const { items: list } = await world.posthorn.members.list({}, workspace.as(viewer));
  expect(list).toEqual([
    {
      id: expect.any(Number),
      userId: workspace.owner.userId,
      name: workspace.owner.name,
      email: workspace.owner.email,
      role: "owner",
      createdAt: world.clock.now(),
    },
    expect.objectContaining({ userId: viewer.userId, role: "viewer" }),
  ]);
});

describe("changing a role", () => {
  test("returns a message, records one event and informs the member by e-mail", async () => {
    const editor = await workspace.addMember("editor");
    const answer = await world.posthorn.members.setRole(
      { memberId: editor.userId, role: "admin" },
      workspace.asOwner,
    );
    expect(answer).toEqual({ message: expect.stringContaining("admin") });
    expect(await roleOf(editor.userId)).toBe("admin");
    const events = await eventsOfType("member.role_updated");
    expect(events.map(({ metadata }) => JSON.parse(metadata))).toEqual([
      { user_id: editor.userId, from: "editor", to: "admin" },
    ]);
    await world.posthorn.drain();
    const mail = world.mailer.inbox.find({ to: editor.email, subject: "Your role in Shop has changed" });
    expect(mail?.text).toContain("from editor to admin");
  });

  test("mails one member twenty times an hour at most, however often it is asked for", async () => {
    const member = await workspace.addMember("editor");
    const { userId: memberId } = member;
    const roles = Array.from({ length: 23 }, (_, at) =>
      at % 2 === 0 ? ("viewer" as const) : ("editor" as const),
    );
    const codes: string[] = [];
    for (const role of roles)
      codes.push(...(await codesOf([world.posthorn.members.setRole({ memberId, role }, workspace.asOwner)])));
    expect(codes).toEqual([...Array(20).fill("ok"), "rate_limited", "ok", "rate_limited"]);
    await world.posthorn.drain();
    const mails = world.mailer.inbox.all().filter(({ envelope }) => envelope.to.includes(member.email));
    expect(mails).toHaveLength(20);
    world.clock.advance(60 * 60 * 1000);
    await world.posthorn.members.setRole({ memberId, role: "viewer" }, workspace.asOwner);
  });

  test("to the same role changes nothing and e-mails nobody", async () => {
    const editor = await workspace.addMember("editor");
    await world.posthorn.members.setRole({ memberId: editor.userId, role: "editor" }, workspace.asOwner);
    expect(await eventsOfType("member.role_updated")).toEqual([]);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
  });

  test("follows the rules for owners, the caller and unknown members", async () => {
    const admin = await workspace.addMember("admin");
    const other = await workspace.addMember("admin");
    const editor = await workspace.addMember("editor");
    const stranger = await world.addUser();
    const { posthorn } = world;
    const { userId: owner } = workspace.owner;
    const codes = await codesOf([
      posthorn.members.setRole({ memberId: editor.userId, role: "owner" }, workspace.asOwner),
      posthorn.members.setRole({ memberId: owner, role: "admin" }, workspace.as(admin)),
      posthorn.members.setRole({ memberId: owner, role: "admin" }, workspace.asOwner),
      posthorn.members.setRole({ memberId: admin.userId, role: "editor" }, workspace.as(admin)),
      posthorn.members.setRole({ memberId: stranger.userId, role: "viewer" }, workspace.asOwner),
      posthorn.members.setRole({ memberId: admin.userId, role: "viewer" }, workspace.as(editor)),
      posthorn.members.setRole({ memberId: other.userId, role: "viewer" }, workspace.as(admin)),
      posthorn.members.setRole({ memberId: editor.userId, role: "king" as "admin" }, workspace.asOwner),
    ]);
    expect(codes).toEqual([
      "owner_role_not_assignable",
      "owner_role_immutable",
      "owner_role_immutable",
      "forbidden",
      "not_found",
      "forbidden",
      "ok",
      "validation_failed",
    ]);
    expect(await roleOf(owner)).toBe("owner");
  });

  test("withdraws the member's pending invitations with the permission to invite, not before", async () => {
    const admin = await workspace.addMember("admin");
    const other = await workspace.addMember("editor");
    await world.posthorn.members.setRole({ memberId: other.userId, role: "admin" }, workspace.asOwner);
    await invite("a@example.org", admin);
    await invite("b@example.org", other);
    await world.posthorn.members.setRole({ memberId: admin.userId, role: "editor" }, workspace.asOwner);
    const { items: left } = await world.posthorn.invitations.list({}, workspace.asOwner);
    expect(left.map(({ email }) => email)).toEqual(["b@example.org"]);
  });

  test("revokes the member's permissions with the next request", async () => {
    const admin = await workspace.addMember("admin");
    await world.posthorn.members.setRole({ memberId: admin.userId, role: "viewer" }, workspace.asOwner);
    await expect(invite("a@example.org", admin)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("removing a member", () => {
  test("ends the access at once and records one event; a second time there is none", async () => {
    const editor = await workspace.addMember("editor");
    await world.posthorn.members.remove({ memberId: editor.userId }, workspace.asOwner);
    const codes = await codesOf([
      world.posthorn.members.list({}, workspace.as(editor)),
      world.posthorn.members.remove({ memberId: editor.userId }, workspace.asOwner),
    ]);
    expect(codes).toEqual(["not_a_member", "not_found"]);
    const events = await eventsOfType("member.removed");
    expect(events.map(({ metadata }) => JSON.parse(metadata))).toEqual([
      { user_id: editor.userId, role: "editor" },
    ]);
  });

  test("is told as leaving of a member who leaves", async () => {
    const [leaving, removed] = [await workspace.addMember("viewer"), await workspace.addMember("viewer")];
    await world.posthorn.members.remove({ memberId: leaving.userId }, workspace.as(leaving));
    await world.posthorn.members.remove({ memberId: removed.userId }, workspace.asOwner);
    expect((await eventsOfType("member.removed")).map(({ message }) => message).sort()).toEqual(
      [`${leaving.name} left the workspace`, `${workspace.owner.name} removed a member`].sort(),
    );
  });

  test("is for managers, but anyone but the owner may leave", async () => {
    const admin = await workspace.addMember("admin");
    const other = await workspace.addMember("admin");
    const editor = await workspace.addMember("editor");
    const viewer = await workspace.addMember("viewer");
    const { userId: owner } = workspace.owner;
    const remove = (memberId: number, by: Parameters<TestWorkspace["as"]>[0]) =>
      world.posthorn.members.remove({ memberId }, workspace.as(by));
    const codes = await codesOf([
      remove(editor.userId, viewer),
      remove(4711, viewer),
      remove(owner, admin),
      remove(owner, workspace.owner),
    ]);
    expect(codes).toEqual(["forbidden", "forbidden", "owner_not_removable", "owner_not_removable"]);
    await remove(viewer.userId, viewer);
    await remove(other.userId, admin);
    await remove(admin.userId, admin);
    const { items: left } = await world.posthorn.members.list({}, workspace.asOwner);
    expect(left.map(({ userId }) => userId)).toEqual([owner, editor.userId]);
  });

  test("withdraws the invitations the member had open", async () => {
    const admin = await workspace.addMember("admin");
    await invite("a@example.org", admin);
    await world.posthorn.members.remove({ memberId: admin.userId }, workspace.as(admin));
    expect((await world.posthorn.invitations.list({}, workspace.asOwner)).items).toEqual([]);
  });

  test("concurrently with a transfer of ownership never leaves the workspace without an owner", async () => {
    const heir = await workspace.addMember("admin");
    const admin = await workspace.addMember("admin");
    const [transferred, removed] = await codesOf([
      world.posthorn.workspaces.transferOwnership({ userId: heir.userId }, workspace.asOwner),
      world.posthorn.members.remove({ memberId: heir.userId }, workspace.as(admin)),
    ]);
    expect([transferred, removed].filter((code) => code === "ok")).toHaveLength(1);
    const owners = (await world.storage.members.list(workspace.id, 0, 99)).filter(
      ({ role }) => role === "owner",
    );
    expect(owners).toHaveLength(1);
  });
});
