import { describe, expect, test } from "vitest";
import { type Storage, UniqueViolation } from "../../ports/storage.ts";
import { race, usePeopleWorld, winners } from "./people-world.ts";
import { NOW } from "./sending-world.ts";

/** The contract of members: a workspace has exactly one owner at any time. */
export const describeMembers = (open: () => Promise<Storage>): void => {
  describe("members", () => {
    const world = usePeopleWorld(open);

    const build = async () => {
      const { storage, addUser, addWorkspace } = world();
      const owner = await addUser("owner@example.com", { name: "Owner" });
      const { id: workspaceId } = await addWorkspace("Acme", owner.id);
      const join = async (email: string) => {
        const user = await addUser(email);
        await storage.members.insert({ workspaceId, userId: user.id, role: "viewer", createdAt: NOW });
        return user.id;
      };
      return { storage, workspaceId, ownerId: owner.id, join };
    };

    test("members have name and address, and are listed by user, in pieces", async () => {
      const { storage, workspaceId, ownerId } = await build();
      const { id: bob } = await world().addUser("Bob@example.com");
      const joined = { workspaceId, userId: bob, role: "viewer", createdAt: NOW } as const;
      expect(await storage.members.insert(joined)).toMatchObject({ userId: bob, email: "Bob@example.com" });
      const members = await storage.members.list(workspaceId, 0, 99);
      expect(members.map(({ userId, role, email }) => ({ userId, role, email }))).toEqual([
        { userId: ownerId, role: "owner", email: "owner@example.com" },
        { userId: bob, role: "viewer", email: "Bob@example.com" },
      ]);
      expect(await storage.members.list(workspaceId, 0, 1)).toEqual(members.slice(0, 1));
      expect(await storage.members.list(workspaceId, ownerId, 1)).toEqual(members.slice(1));
      expect(await storage.members.list(workspaceId, bob, 1)).toEqual([]);
      expect(await storage.members.find(workspaceId, bob)).toEqual(members[1]);
      expect(await storage.members.findByEmail(workspaceId, "bob@EXAMPLE.com")).toEqual(members[1]);
      expect(await storage.members.findOwner(workspaceId)).toEqual(members[0]);
      expect(await storage.members.roleOf(workspaceId, bob)).toBe("viewer");
      expect(await storage.members.lockRole(workspaceId, bob)).toBe("viewer");
      expect(await storage.members.roleOf(workspaceId + 1, bob)).toBeUndefined();
      expect(await storage.members.find(workspaceId + 1, bob)).toBeUndefined();
      expect(await storage.members.findByEmail(workspaceId + 1, "bob@example.com")).toBeUndefined();
      expect(await storage.members.findOwner(workspaceId + 1)).toBeUndefined();
    });

    test("a user joins once, also with concurrent calls", async () => {
      const { storage, workspaceId } = await build();
      const { id: userId } = await world().addUser("bob@example.com");
      const outcomes = await race(() =>
        storage.members.insert({ workspaceId, userId, role: "editor", createdAt: NOW }).then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      const errors = outcomes.filter((outcome) => outcome !== undefined);
      expect(errors).toHaveLength(49);
      expect(errors[0]).toBeInstanceOf(UniqueViolation);
      expect(errors[0]).toMatchObject({ constraint: "members.user" });
      expect(await storage.members.list(workspaceId, 0, 99)).toHaveLength(2);
    });

    test("the owner's role can't be changed, and the owner can't be removed", async () => {
      const { storage, workspaceId, ownerId, join } = await build();
      const bob = await join("bob@example.com");
      expect(await storage.members.setRole(workspaceId, ownerId, "viewer")).toBe(false);
      expect(await storage.members.delete(workspaceId, ownerId)).toBe(false);
      expect(await storage.members.setRole(workspaceId, bob, "admin")).toBe(true);
      expect(await storage.members.roleOf(workspaceId, bob)).toBe("admin");
      expect(winners(await race(() => storage.members.delete(workspaceId, bob)))).toBe(1);
      expect(await storage.members.setRole(workspaceId, bob, "editor")).toBe(false);
    });

    test("what changes in one workspace leaves a user's place in another", async () => {
      const { storage, workspaceId, ownerId, join } = await build();
      const bob = await join("bob@example.com");
      const other = await world().addWorkspace("Other", ownerId);
      await storage.members.insert({ workspaceId: other.id, userId: bob, role: "viewer", createdAt: NOW });
      const roles = async (id: number) =>
        (await storage.members.list(id, 0, 99)).map(
          ({ userId, role }) => `${userId === bob ? "Bob" : "owner"}: ${role}`,
        );
      expect(await storage.members.setRole(workspaceId, bob, "editor")).toBe(true);
      expect(await roles(other.id)).toEqual(["owner: owner", "Bob: viewer"]);
      expect(await storage.members.transferOwnership(workspaceId, ownerId, bob)).toBe(true);
      expect(await roles(workspaceId)).toEqual(["owner: admin", "Bob: owner"]);
      expect((await storage.members.findOwner(workspaceId))?.userId).toBe(bob);
      expect(await roles(other.id)).toEqual(["owner: owner", "Bob: viewer"]);
      expect(await storage.members.transferOwnership(workspaceId, bob, ownerId)).toBe(true);
      expect(await storage.members.delete(workspaceId, bob)).toBe(true);
      expect(await roles(other.id)).toEqual(["owner: owner", "Bob: viewer"]);
    });

    test("a second owner can't be inserted", async () => {
      const { storage, workspaceId } = await build();
      const { id: userId } = await world().addUser("bob@example.com");
      await expect(
        storage.members.insert({ workspaceId, userId, role: "owner", createdAt: NOW }),
      ).rejects.toMatchObject({ constraint: "members.owner" });
    });

    test("of 50 transfers by one owner one succeeds, and there is one owner", async () => {
      const { storage, workspaceId, ownerId, join } = await build();
      const heirs: number[] = [];
      for (let index = 0; index < 50; index += 1) heirs.push(await join(`heir${index}@example.com`));
      const outcomes = await race((index) =>
        storage.members.transferOwnership(workspaceId, ownerId, heirs[index] ?? 0),
      );
      expect(winners(outcomes)).toBe(1);
      const owners = (await storage.members.list(workspaceId, 0, 99)).filter(({ role }) => role === "owner");
      expect(owners.map(({ userId }) => userId)).toEqual([heirs[outcomes.indexOf(true)]]);
      expect(await storage.members.roleOf(workspaceId, ownerId)).toBe("admin");
    });

    test("ownership is transferred from the owner to another member only", async () => {
      const { storage, workspaceId, ownerId, join } = await build();
      const bob = await join("bob@example.com");
      const stranger = await world().addUser("stranger@example.com");
      await world().addWorkspace("Other", stranger.id);
      expect(await storage.members.transferOwnership(workspaceId, bob, ownerId)).toBe(false);
      expect(await storage.members.transferOwnership(workspaceId, ownerId, stranger.id)).toBe(false);
      expect(await storage.members.transferOwnership(workspaceId, ownerId, ownerId)).toBe(false);
      expect((await storage.members.findOwner(workspaceId))?.userId).toBe(ownerId);
    });
  });
};
