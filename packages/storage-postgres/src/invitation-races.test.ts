import { beforeEach, expect, test } from "vitest";
import { type LockingWorld, openLockingWorld } from "../test/open-locking-world.ts";

let locking: LockingWorld;
beforeEach(async () => {
  locking = await openLockingWorld();
});

/** An invitee with an external id, and an invitation to the address. */
async function invite() {
  const { world } = locking;
  const { id: workspaceId, as } = await world.addWorkspace();
  const eve = { externalId: "eve", name: "Eve", email: "eve@example.com" };
  const { id: userId } = await world.posthorn.users.ensure(eve);
  const { id } = await world.posthorn.invitations.create(
    { email: eve.email, role: "editor" },
    { workspaceId },
  );
  const invitee = await world.posthorn.findUser({ externalId: eve.externalId });
  if (invitee === undefined) throw new Error("there is no invitee");
  return { workspaceId, as, eve, userId, invitee, id };
}

test("an invitation is not accepted for an address that the account just loses", async () => {
  const { world, untilWaiting, openHost, storage } = locking;
  const { workspaceId, eve, userId, invitee, id } = await invite();
  const transaction = await openHost();
  await world.posthorn.users.ensure({ ...eve, email: "eve@example.org" }, { transaction });
  const accepting = world.posthorn.invitations.acceptById({ id }, { as: invitee });
  const outcome = expect(accepting).rejects.toMatchObject({ code: "invitation_for_another_user" });
  await untilWaiting(accepting);
  await transaction.query("commit");
  await outcome;
  expect(await storage.members.roleOf(workspaceId, userId)).toBeUndefined();
});

test("an account that is deleted while it accepts is refused as one that is gone", async () => {
  const { world, untilWaiting, openHost } = locking;
  const { userId, invitee, id } = await invite();
  const transaction = await openHost();
  await world.posthorn.users.delete({ userId }, { transaction });
  const accepting = world.posthorn.invitations.acceptById({ id }, { as: invitee });
  const outcome = expect(accepting).rejects.toMatchObject({ code: "not_found" });
  await untilWaiting(accepting);
  await transaction.query("commit");
  await outcome;
});

test("the host makes a member of whoever is just accepting an invitation", async () => {
  const { world, untilWaiting, openHost, storage } = locking;
  const { workspaceId, userId, invitee, id } = await invite();
  const transaction = await openHost();
  await world.posthorn.invitations.acceptById({ id }, { as: invitee, transaction });
  const ensuring = world.posthorn.members.ensure({ userId, role: "admin" }, { workspaceId });
  const outcome = expect(ensuring).resolves.toMatchObject({ role: "admin" });
  await untilWaiting(ensuring);
  await transaction.query("commit");
  await outcome;
  expect(await storage.members.roleOf(workspaceId, userId)).toBe("admin");
});
