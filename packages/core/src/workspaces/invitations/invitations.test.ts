import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { UserCaller } from "../../calls/caller.ts";
import { createWorld, type TestWorkspace, type World } from "../../testing/index.ts";

const day = 24 * 60 * 60 * 1000;

let world: World;
let workspace: TestWorkspace;
let guest: UserCaller;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite(), {
    appUrl: "https://app.example/mail",
  });
  workspace = await world.addWorkspace({ name: "Shop & Sons" });
  guest = await world.addUser({ name: "Guest", email: "Guest@Example.org" });
});
afterEach(() => world.close());

async function codesOf(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code));
}

type InvitedRole = "admin" | "editor" | "viewer";
const invite = (email = "guest@example.org", role: InvitedRole = "editor", options = workspace.asOwner) =>
  world.posthorn.invitations.create({ email, role }, options);

/** The token in the newest invitation mail to an address. */
async function mailedToken(address = "guest@example.org"): Promise<string> {
  await world.posthorn.drain();
  const mail = world.mailer.inbox
    .all()
    .filter(({ envelope }) => envelope.to.some((to) => to.toLowerCase() === address.toLowerCase()))
    .at(-1);
  const token = /https:\/\/app\.example\/mail\/invitations\?token=([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`there is no invitation mail to ${address}`);
  return token;
}

const typesOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items
    .map(({ type }) => type)
    .filter((type) => type.startsWith("invitation."));

const roleOf = (user: UserCaller) => world.storage.members.roleOf(workspace.id, user.userId);

describe("inviting", () => {
  test("makes a pending invitation of seven days, one event, and a mail with the link", async () => {
    const invitation = await invite("Guest@example.org", "admin");
    expect(invitation).toEqual({
      id: expect.any(Number),
      workspaceId: workspace.id,
      workspace: "",
      email: "Guest@example.org",
      role: "admin",
      status: "pending",
      expiresAt: world.clock.now() + 7 * day,
      createdAt: world.clock.now(),
    });
    expect((await world.posthorn.invitations.list({}, workspace.asOwner)).items).toEqual([invitation]);
    const token = await mailedToken();
    const mail = world.mailer.inbox.find({ to: "guest@example.org" });
    expect(mail?.subject).toBe(`${workspace.owner.name} invites you to Shop & Sons`);
    expect(mail?.html).toContain("Shop &amp; Sons");
    const { items } = await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 9 });
    expect(items[0]).toMatchObject({ type: "invitation.created" });
    expect(JSON.parse(items[0]?.metadata ?? "")).toEqual({
      invitation_id: invitation.id,
      email: "Guest@example.org",
      role: "admin",
    });
    expect(JSON.stringify(items)).not.toContain(token);
  });

  test("is refused as owner, to members, twice, without a verified address and without the right", async () => {
    const unverified = await world.addUser({ verified: false });
    await world.storage.members.insert({
      workspaceId: workspace.id,
      userId: unverified.userId,
      role: "admin",
      createdAt: world.clock.now(),
    });
    const editor = await workspace.addMember("editor");
    await invite();
    const codes = await codesOf([
      invite("new@example.org", "owner" as "admin"),
      invite(editor.email.toUpperCase()),
      invite("GUEST@example.org"),
      invite("new@example.org", "viewer", workspace.as(unverified)),
      invite("new@example.org", "viewer", workspace.as(editor)),
      invite("no address"),
      invite("new@example.org", "king" as "admin"),
      world.posthorn.invitations.list({}, workspace.as(editor)),
    ]);
    expect(codes).toEqual([
      "owner_role_not_assignable",
      "already_member",
      "invitation_exists",
      "email_not_verified",
      "forbidden",
      "validation_failed",
      "validation_failed",
      "forbidden",
    ]);
  });

  test("replaces an expired invitation, whose link then is unknown", async () => {
    const first = await invite();
    const token = await mailedToken();
    world.clock.advance(7 * day);
    expect((await world.posthorn.invitations.list({}, workspace.asOwner)).items).toEqual([]);
    const second = await invite();
    expect((await world.posthorn.invitations.list({}, workspace.asOwner)).items.map(({ id }) => id)).toEqual([
      second.id,
    ]);
    expect(second.id).not.toBe(first.id);
    await expect(world.posthorn.invitations.accept({ token }, { as: guest })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("of one address many times at once makes one invitation", async () => {
    const codes = await codesOf(Array.from({ length: 20 }, () => invite()));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(codes.filter((code) => code === "invitation_exists")).toHaveLength(19);
  });

  test("is bounded to a hundred an hour for a workspace, also in parallel", async () => {
    const codes = await codesOf(Array.from({ length: 103 }, (_, index) => invite(`p${index}@example.org`)));
    expect(codes.filter((code) => code === "ok")).toHaveLength(100);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(3);
    await expect(invite("late@example.org")).rejects.toMatchObject({ retryAfter: 3600 });
    const other = await world.addWorkspace();
    await invite("late@example.org", "viewer", other.asOwner);
    world.clock.advance(60 * 60 * 1000);
    await invite("late@example.org");
  });

  test("by the operator needs nobody's address", async () => {
    const invitation = await world.posthorn.invitations.create(
      { email: "new@example.org", role: "viewer" },
      { workspaceId: workspace.id },
    );
    expect(invitation.status).toBe("pending");
  });
});

describe("cancelling", () => {
  test("deletes the pending invitation once, in its own workspace only", async () => {
    const { id } = await invite();
    const token = await mailedToken();
    const other = await world.addWorkspace();
    await expect(world.posthorn.invitations.cancel({ id }, other.asOwner)).rejects.toMatchObject({
      code: "not_found",
    });
    await world.posthorn.invitations.cancel({ id }, workspace.asOwner);
    const codes = await codesOf([
      world.posthorn.invitations.cancel({ id }, workspace.asOwner),
      world.posthorn.invitations.accept({ token }, { as: guest }),
      world.posthorn.invitations.acceptById({ id }, { as: guest }),
    ]);
    expect(codes).toEqual(["not_found", "not_found", "not_found"]);
    expect(await typesOf()).toEqual(["invitation.cancelled", "invitation.created"]);
  });

  test("of a settled invitation is refused", async () => {
    const { id } = await invite();
    await world.posthorn.invitations.declineById({ id }, { as: guest });
    await expect(world.posthorn.invitations.cancel({ id }, workspace.asOwner)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("the invitee's list", () => {
  test("shows pending invitations to the caller's address, with the workspace's name", async () => {
    const { id } = await invite();
    await invite("someone.else@example.org");
    const { items: list } = await world.posthorn.invitations.listMine({}, { as: guest });
    expect(list.map((one) => [one.id, one.workspace])).toEqual([[id, "Shop & Sons"]]);
    world.clock.advance(7 * day);
    expect((await world.posthorn.invitations.listMine({}, { as: guest })).items).toEqual([]);
  });

  test("needs a verified address, as do the calls by id", async () => {
    const thief = await world.addUser({ email: "victim@example.org", verified: false });
    const { id } = await invite("victim@example.org");
    const codes = await codesOf([
      world.posthorn.invitations.listMine({}, { as: thief }),
      world.posthorn.invitations.acceptById({ id }, { as: thief }),
      world.posthorn.invitations.declineById({ id }, { as: thief }),
    ]);
    expect(codes).toEqual(["email_not_verified", "email_not_verified", "email_not_verified"]);
    expect(await roleOf(thief)).toBeUndefined();
  });
});

describe.each(["token", "id"] as const)("answering by %s", (way) => {
  /** How to answer the invitation: all that is awaited before is done, so that answers can race. */
  const answering = async ({ id }: { id: number }) => {
    const token = await mailedToken();
    const { invitations } = world.posthorn;
    return (verb: "accept" | "decline", user = guest): Promise<unknown> =>
      way === "id"
        ? invitations[`${verb}ById`]({ id }, { as: user })
        : invitations[verb]({ token }, { as: user });
  };

  test("accept joins with the invited role and names the workspace", async () => {
    const invitation = await invite("guest@example.org", "editor");
    const answer = await answering(invitation);
    expect(await answer("accept")).toEqual({
      message: expect.stringContaining("Shop & Sons"),
      workspaceId: workspace.id,
    });
    expect(await roleOf(guest)).toBe("editor");
    expect(await typesOf()).toEqual(["invitation.accepted", "invitation.created"]);
    const codes = await codesOf([answer("accept"), answer("decline")]);
    expect(codes).toEqual(["invitation_not_pending", "invitation_not_pending"]);
    expect((await world.posthorn.invitations.list({}, workspace.asOwner)).items).toEqual([]);
  });

  test("decline settles it without joining, and another may be sent", async () => {
    const invitation = await invite();
    const answer = await answering(invitation);
    expect(await answer("decline")).toEqual({ message: expect.any(String) });
    expect(await world.storage.invitations.find(invitation.id)).toMatchObject({ status: "declined" });
    expect(await roleOf(guest)).toBeUndefined();
    expect(await typesOf()).toEqual(["invitation.declined", "invitation.created"]);
    await expect(answer("accept")).rejects.toMatchObject({ code: "invitation_not_pending" });
    await invite();
  });

  test("is refused to anyone else, and once it has expired", async () => {
    const invitation = await invite();
    const answer = await answering(invitation);
    const other = await world.addUser();
    await expect(answer("accept", other)).rejects.toMatchObject({
      code: "invitation_for_another_user",
    });
    await expect(answer("decline", other)).rejects.toMatchObject({
      code: "invitation_for_another_user",
    });
    world.clock.advance(7 * day - 1);
    const last = await codesOf([answer("accept", other)]);
    world.clock.advance(1);
    const codes = await codesOf([answer("accept"), answer("decline")]);
    expect([...last, ...codes]).toEqual([
      "invitation_for_another_user",
      "invitation_expired",
      "invitation_expired",
    ]);
    expect(await roleOf(guest)).toBeUndefined();
  });

  test("fifty at once: one joins, the rest come too late", async () => {
    const invitation = await invite();
    const answer = await answering(invitation);
    const codes = await codesOf(Array.from({ length: 50 }, () => answer("accept")));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(codes.filter((code) => code === "invitation_not_pending")).toHaveLength(49);
    expect(await typesOf()).toEqual(["invitation.accepted", "invitation.created"]);
  });

  test("of a member is a conflict, and the invitation is accepted all the same", async () => {
    const invitation = await invite();
    const answer = await answering(invitation);
    await world.storage.members.insert({
      workspaceId: workspace.id,
      userId: guest.userId,
      role: "viewer",
      createdAt: world.clock.now(),
    });
    await expect(answer("accept")).rejects.toMatchObject({ code: "already_member" });
    expect(await world.storage.invitations.find(invitation.id)).toMatchObject({ status: "accepted" });
    expect(await roleOf(guest)).toBe("viewer");
  });

  test("races with cancelling: never both", async () => {
    for (let round = 0; round < 20; round++) {
      const invitation = await invite();
      const answer = await answering(invitation);
      const [accepted, cancelled] = await codesOf([
        answer("accept"),
        world.posthorn.invitations.cancel({ id: invitation.id }, workspace.asOwner),
      ]);
      expect([accepted, cancelled].filter((code) => code === "ok")).toHaveLength(1);
      if (accepted === "ok") {
        expect(await roleOf(guest)).toBe("editor");
        await world.posthorn.members.remove({ memberId: guest.userId }, workspace.asOwner);
      } else expect(await roleOf(guest)).toBeUndefined();
    }
  });
});

describe("the token", () => {
  test("proves the address of an unverified account, and verifies it", async () => {
    const newcomer = await world.addUser({ email: "new@example.org", verified: false });
    await invite("new@example.org", "viewer");
    const token = await mailedToken("new@example.org");
    await world.posthorn.invitations.accept({ token }, { as: newcomer });
    expect(await roleOf(newcomer)).toBe("viewer");
    const user = await world.storage.users.find(newcomer.userId);
    expect(user?.emailVerifiedAt).toBe(world.clock.now());
    const { items } = await world.storage.events.list(
      { workspaceId: "all", userId: newcomer.userId },
      { offset: 0, limit: 5 },
    );
    expect(items.map(({ type }) => type)).toEqual(["user.email_verified"]);
  });

  test("does not verify an address it was not sent to", async () => {
    const thief = await world.addUser({ email: "thief@example.org", verified: false });
    await invite();
    const token = await mailedToken();
    await expect(world.posthorn.invitations.accept({ token }, { as: thief })).rejects.toMatchObject({
      code: "invitation_for_another_user",
    });
    expect((await world.storage.users.find(thief.userId))?.emailVerifiedAt).toBeUndefined();
  });

  test("that is unknown or malformed is not found", async () => {
    const codes = await codesOf([
      world.posthorn.invitations.accept({ token: "x".repeat(43) }, { as: guest }),
      world.posthorn.invitations.decline({ token: "nonsense" }, { as: guest }),
      world.posthorn.invitations.accept({ token: "" }, { as: guest }),
      world.posthorn.invitations.acceptById({ id: 4711 }, { as: guest }),
      Reflect.apply(world.posthorn.invitations.accept, undefined, [{ token: "x" }]),
    ]);
    expect(codes).toEqual(["not_found", "not_found", "validation_failed", "not_found", "unauthenticated"]);
  });
});
