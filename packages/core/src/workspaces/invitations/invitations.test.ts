import { describe, expect, test } from "vitest";
import {
  guest,
  invite,
  mailedToken,
  openInvitationWorldForEach,
  roleOf,
  typesOf,
  workspace,
  world,
} from "../../../test/invitations.ts";
import { codesOf, day } from "../../../test/world-for-each.ts";

openInvitationWorldForEach();

describe("inviting", () => {
  test("creates a pending invitation of seven days, one event, and an e-mail with the link", async () => {
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

  test("names nobody if no person invites, adds a member or changes a role", async () => {
    const { posthorn, mailer } = world;
    const { id: workspaceId } = workspace;
    await posthorn.invitations.create({ email: "new@example.org", role: "admin" }, { workspaceId });
    const { userId } = await world.addUser();
    await posthorn.members.add({ workspaceId, userId, role: "viewer" });
    await posthorn.members.setRole({ memberId: userId, role: "editor" }, { workspaceId });
    await posthorn.drain();
    const told = mailer.inbox.all().map(({ subject, text }) => `${subject}: ${text}`);
    expect(told).toEqual([
      expect.stringMatching(
        /^You are invited to Shop & Sons: You are invited to join the workspace Shop & Sons with/,
      ),
      expect.stringContaining("You have been added to the workspace Shop & Sons with the role viewer."),
      expect.stringContaining(
        "Your role has been changed in the workspace Shop & Sons from viewer to editor.",
      ),
    ]);
  });

  test("is refused as owner, to members, twice, without a verified address and without the permission", async () => {
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

  test("replaces an expired invitation, whose link becomes invalid", async () => {
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

  test("one address many times at once creates one invitation", async () => {
    const codes = await codesOf(Array.from({ length: 20 }, () => invite()));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(codes.filter((code) => code === "invitation_exists")).toHaveLength(19);
  });

  test("is limited to a hundred an hour for a workspace, also in parallel", async () => {
    const codes = await codesOf(Array.from({ length: 103 }, (_, index) => invite(`p${index}@example.org`)));
    expect(codes.filter((code) => code === "ok")).toHaveLength(100);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(3);
    await expect(invite("late@example.org")).rejects.toMatchObject({ retryAfter: 3600 });
    const other = await world.addWorkspace();
    await invite("late@example.org", "viewer", other.asOwner);
    world.clock.advance(60 * 60 * 1000);
    await invite("late@example.org");
  });

  test("is limited to two hundred an hour for a person, however many workspaces they make", async () => {
    const as = { as: workspace.owner };
    const codes: string[] = [];
    for (const name of ["One", "Two", "Three"]) {
      const { id: workspaceId } = await world.posthorn.workspaces.create({ name }, as);
      const calls = Array.from({ length: 99 }, (_, index) =>
        world.posthorn.invitations.create(
          { email: `p${index}@example.org`, role: "viewer" },
          { ...as, workspaceId },
        ),
      );
      codes.push(...(await codesOf(calls)));
    }
    expect(codes.filter((code) => code === "ok")).toHaveLength(200);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(97);
  });

  test("mails an address 30 times an hour, whoever invites and however often it is cancelled", async () => {
    const { invitations } = world.posthorn;
    const others = [workspace, await world.addWorkspace(), await world.addWorkspace()];
    const codes: string[] = [];
    for (const each of Array.from({ length: 11 }, () => others).flat()) {
      const inviting = invite("guest@EXAMPLE.org", "viewer", each.asOwner);
      codes.push(...(await codesOf([inviting])));
      const { id } = (await inviting.catch(() => undefined)) ?? {};
      if (id !== undefined) await invitations.cancel({ id }, each.asOwner);
    }
    expect(codes).toEqual([...Array(30).fill("ok"), ...Array(3).fill("rate_limited")]);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(30);
    expect((await invitations.list({}, workspace.asOwner)).items).toEqual([]);
    await invite("guest@example.org", "viewer", { workspaceId: workspace.id });
  });

  test("by the operator requires no verified address", async () => {
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

  test("requires a verified address, as do the calls by id", async () => {
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
