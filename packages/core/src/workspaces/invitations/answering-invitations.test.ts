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

describe.each(["token", "id"] as const)("answering by %s", (way) => {
  /**
   * Returns the function that answers the invitation. Everything asynchronous is done before, so that two answers can
   * race.
   */
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

  test("fifty at once: one joins, the rest are too late", async () => {
    const invitation = await invite();
    const answer = await answering(invitation);
    const codes = await codesOf(Array.from({ length: 50 }, () => answer("accept")));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(codes.filter((code) => code === "invitation_not_pending")).toHaveLength(49);
    expect(await typesOf()).toEqual(["invitation.accepted", "invitation.created"]);
  });

  test("by a member is a conflict, and the invitation is accepted nevertheless", async () => {
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

  test("concurrently with cancelling: never both", async () => {
    const won = new Set<string>();
    for (let round = 0; round < 20; round++) {
      // By the operator: an address gets few invitations an hour from others.
      const invitation = await invite(guest.email, "editor", { workspaceId: workspace.id });
      const answer = await answering(invitation);
      const cancel = () => world.posthorn.invitations.cancel({ id: invitation.id }, workspace.asOwner);
      // Of two that begin at once accepting is the quicker, so one round begins with the other alone.
      const early = round === 0 ? await codesOf([cancel()]) : [];
      const late = await codesOf(round === 0 ? [answer("accept")] : [answer("accept"), cancel()]);
      expect([...early, ...late].filter((code) => code === "ok")).toHaveLength(1);
      const [accepted] = late;
      won.add(accepted === "ok" ? "accepted" : "cancelled");
      if (accepted === "ok") {
        expect(await roleOf(guest)).toBe("editor");
        await world.posthorn.members.remove({ memberId: guest.userId }, workspace.asOwner);
      } else expect(await roleOf(guest)).toBeUndefined();
    }
    expect(won.size).toBe(2);
  });
});

describe("the token", () => {
  test("verifies the address of an unverified account", async () => {
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
