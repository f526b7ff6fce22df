import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("a user's deletion waits for their change under way without either failing", async () => {
  const { storage, world, untilWaiting, openHost } = await openLockingWorld();
  const { id: workspaceId, addMember } = await world.addWorkspace();
  const { userId } = await addMember("editor");
  const host = await openHost();
  const within = storage.within(host);
  expect(await within.members.lockRole(workspaceId, userId)).toBe("editor");
  const deleting = storage.users.delete(userId);
  await untilWaiting(deleting);
  // Had the deletion locked the user's row, one of the two would now be ended as a deadlock.
  await host.query("set local lock_timeout = '500ms'");
  const name = { scope: "*", addressKey: "ada@example.com" };
  const entry = { ...name, workspaceId, address: name.addressKey, origin: "manual", reason: "" } as const;
  const rest = { emailId: undefined, createdAt: 1, expiresAt: undefined };
  expect(await within.suppressions.put([{ ...entry, ...rest, createdBy: userId }], 1)).toEqual([
    { outcome: "added" },
  ]);
  await host.query("commit");
  expect(await deleting).toEqual([{ workspaceId, role: "editor" }]);
  expect(await storage.suppressions.find(workspaceId, name, 2)).toMatchObject({ createdBy: undefined });
});

test.each(["a member", "a user with a role of the host's"])(
  "the deletion of %s withdraws an invitation that they are just sending",
  async (who) => {
    const { storage, world, untilWaiting, openHost } = await openLockingWorld();
    const { id: workspaceId, addMember } = await world.addWorkspace();
    const isMember = who === "a member";
    const admitted = {
      ...(await world.addUser()),
      host: { workspaceId, role: "admin" },
    } as const;
    const as = isMember ? await addMember("admin") : admitted;
    const transaction = await openHost();
    const call = { as, workspaceId, transaction };
    await world.posthorn.invitations.create({ email: "eve@example.com", role: "admin" }, call);
    const deleting = world.posthorn.users.delete({ userId: as.userId });
    await untilWaiting(deleting);
    await transaction.query("commit");
    await deleting;
    expect(await storage.invitations.listPending(workspaceId, world.clock.now())).toEqual([]);
  },
);
