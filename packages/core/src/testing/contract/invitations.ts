import { describe, expect, test } from "vitest";
import type { Invitation, Storage } from "../../ports/storage.ts";
import { race, usePeopleWorld, winners } from "./people-world.ts";
import { DAY, NOW, nextId } from "./sending-world.ts";

/** The contract of invitations: one pending per address, settled once. */
export const describeInvitations = (open: () => Promise<Storage>): void => {
  describe("invitations", () => {
    const world = usePeopleWorld(open);

    const build = async () => {
      const { storage, addUser, addWorkspace } = world();
      const owner = await addUser("owner@example.com");
      const { id: workspaceId } = await addWorkspace("Acme", owner.id);
      const invite = (email: string, over: Partial<Invitation> = {}, tokenDigest = nextId()) =>
        storage.invitations.insert({
          workspaceId,
          email,
          role: "editor",
          invitedBy: owner.id,
          expiresAt: NOW + 7 * DAY,
          createdAt: NOW,
          tokenDigest,
          ...over,
        });
      return { storage, workspaceId, ownerId: owner.id, invite };
    };

    test("an invitation has its workspace's name, and is found by id and token", async () => {
      const { storage, workspaceId, ownerId, invite } = await build();
      const invitation = await invite("Bob@example.com", {}, "digest");
      expect(invitation).toEqual({
        id: invitation.id,
        workspaceId,
        workspaceName: "Acme",
        email: "Bob@example.com",
        role: "editor",
        status: "pending",
        invitedBy: ownerId,
        expiresAt: NOW + 7 * DAY,
        createdAt: NOW,
      });
      expect(await storage.invitations.find(invitation.id)).toEqual(invitation);
      expect(await storage.invitations.findByToken("digest")).toEqual(invitation);
      expect(await storage.invitations.findByToken("other")).toBeUndefined();
    });

    test("an address has one pending invitation in a workspace, also with concurrent calls", async () => {
      const { storage, workspaceId, invite } = await build();
      const outcomes = await race((index) =>
        invite(index % 2 ? "bob@example.com" : "BOB@example.com").then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      const errors = outcomes.filter((outcome) => outcome !== undefined);
      expect(errors).toHaveLength(49);
      expect(errors[0]).toMatchObject({ name: "UniqueViolation", constraint: "invitations.email" });
      const [pending] = await storage.invitations.listPending(workspaceId, NOW);
      await storage.invitations.settle(pending?.id ?? 0, "declined", NOW);
      await expect(invite("bob@example.com")).resolves.toMatchObject({ status: "pending" });
    });

    test("lists show pending and unexpired ones, newest first, for the address in any case", async () => {
      const { storage, workspaceId, invite } = await build();
      const other = await storage.workspaces.insert({ name: "Other", createdAt: NOW });
      const bob = await invite("Bob@example.com");
      const eve = await invite("eve@example.com");
      const elsewhere = await invite("bob@example.com", { workspaceId: other.id });
      await invite("old@example.com", { expiresAt: NOW });
      expect(await storage.invitations.listPending(workspaceId, NOW)).toEqual([eve, bob]);
      expect(await storage.invitations.listPendingFor("BOB@example.com", NOW)).toEqual([elsewhere, bob]);
      await storage.invitations.settle(bob.id, "accepted", NOW);
      expect(await storage.invitations.listPending(workspaceId, NOW)).toEqual([eve]);
    });

    test("of 50 calls that settle it one succeeds, and none after it has expired", async () => {
      const { storage, invite } = await build();
      const { id } = await invite("bob@example.com");
      const outcomes = await race((index) =>
        storage.invitations.settle(id, index % 2 ? "accepted" : "declined", NOW),
      );
      expect(winners(outcomes)).toBe(1);
      const status = outcomes.indexOf(true) % 2 ? "accepted" : "declined";
      expect((await storage.invitations.find(id))?.status).toBe(status);
      const late = await invite("eve@example.com", { expiresAt: NOW });
      expect(await storage.invitations.settle(late.id, "accepted", NOW)).toBe(false);
    });

    test("it is never both accepted and deleted", async () => {
      const { storage, workspaceId, invite } = await build();
      const { id } = await invite("bob@example.com");
      const outcomes = await race(async (index) =>
        index % 2
          ? storage.invitations.settle(id, "accepted", NOW)
          : (await storage.invitations.delete(workspaceId, id)) !== undefined,
      );
      expect(winners(outcomes)).toBe(1);
    });

    test("only pending ones of the workspace are deleted", async () => {
      const { storage, workspaceId, ownerId, invite } = await build();
      const bob = await invite("bob@example.com");
      expect(await storage.invitations.delete(workspaceId + 1, bob.id)).toBeUndefined();
      expect(await storage.invitations.delete(workspaceId, bob.id)).toEqual(bob);
      const accepted = await invite("bob@example.com");
      await storage.invitations.settle(accepted.id, "accepted", NOW);
      expect(await storage.invitations.delete(workspaceId, accepted.id)).toBeUndefined();
      await invite("bob@example.com", { expiresAt: NOW });
      await storage.invitations.deleteExpiredFor(workspaceId, "BOB@example.com", NOW);
      await invite("bob@example.com");
      await invite("eve@example.com", { invitedBy: undefined });
      expect(await storage.invitations.deletePendingBy(workspaceId, ownerId)).toBe(1);
      expect(await storage.invitations.listPending(workspaceId, NOW)).toHaveLength(1);
    });

    test("whatever is deleted, all others stay", async () => {
      const { storage, workspaceId, ownerId, invite } = await build();
      const { invitations } = storage;
      const other = await storage.workspaces.insert({ name: "Other", createdAt: NOW });
      const [bob, eve] = [await invite("bob@example.com"), await invite("eve@example.com")];
      await invite("bob@example.com", { workspaceId: other.id, expiresAt: NOW + 1 });
      const declined = await invite("ann@example.com");
      await invitations.settle(declined.id, "declined", NOW);
      const left = async () =>
        [
          ...(await invitations.listPending(workspaceId, NOW)),
          ...(await invitations.listPending(other.id, NOW)),
          ...[await invitations.find(declined.id)].filter((one) => one !== undefined),
        ].map(({ email, workspaceName, status }) => `${email} ${workspaceName} ${status}`);
      const elsewhere = ["bob@example.com Other pending", "ann@example.com Acme declined"];
      const others = ["eve@example.com Acme pending", ...elsewhere];

      expect(await invitations.delete(workspaceId, bob.id)).toEqual(bob);
      expect(await left()).toEqual(others);
      await invite("bob@example.com", { expiresAt: NOW + 1 });
      await invitations.deleteExpiredFor(workspaceId, "bob@example.com", NOW);
      expect(await left()).toEqual(["bob@example.com Acme pending", ...others]);
      await invitations.deleteExpiredFor(workspaceId, "ann@example.com", eve.expiresAt);
      await invitations.deleteExpiredFor(workspaceId, "bob@example.com", NOW + 1);
      expect(await left()).toEqual(others);
      expect(await invitations.deletePendingBy(workspaceId, ownerId)).toBe(1);
      expect(await left()).toEqual(elsewhere);
    });

    test("with a user, the pending ones that the user sent are deleted; settled and others' stay", async () => {
      const { storage, workspaceId, ownerId, invite } = await build();
      const { invitations, users } = storage;
      const ann = await world().addUser("ann@example.com");
      await invite("bob@example.com", { invitedBy: ann.id });
      const eve = await invite("eve@example.com");
      const settled = await invite("zoe@example.com", { invitedBy: ann.id });
      await invitations.settle(settled.id, "accepted", NOW);
      const membership = { workspaceId, userId: ann.id, role: "editor", createdAt: NOW } as const;
      await storage.members.insert(membership);
      expect(await users.delete(ann.id)).toEqual([{ workspaceId, role: "editor" }]);
      expect(await users.delete(ann.id)).toBeUndefined();
      expect(await users.find(ownerId)).toBeDefined();
      expect(await invitations.listPending(workspaceId, NOW)).toEqual([eve]);
      expect(await invitations.find(settled.id)).toMatchObject({ status: "accepted", invitedBy: undefined });
    });
  });
};
