import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { race, usePeopleWorld } from "./people-world.ts";
import { NOW } from "./sending-world.ts";

const FREE = {
  name: "Free",
  description: "",
  isActive: true,
  dailyRateLimit: 1,
  hourlyRateLimit: 2,
  maxAttachmentSizeMb: 3,
  maxBatchSize: 4,
  maxApiKeys: 5,
  maxDomains: 6,
  maxSmtpServers: 7,
  maxWorkspaces: 8,
  emailLogRetentionDays: 9,
  createdAt: NOW,
  updatedAt: NOW,
};

/** The contract of plans: at most one default at any time, none deleted while assigned. */
export const describePlans = (open: () => Promise<Storage>): void => {
  describe("plans", () => {
    const world = usePeopleWorld(open);

    test("a plan is stored, listed by id, and only the given fields change", async () => {
      const { plans } = world().storage;
      const free = await plans.insert(FREE);
      const pro = await plans.insert({ ...FREE, name: "Pro" });
      expect(free).toEqual({ ...FREE, id: free.id, isDefault: false });
      expect(await plans.list()).toEqual([free, pro]);
      const changed = await plans.update(pro.id, { isActive: false, maxDomains: 0, updatedAt: NOW + 1 });
      expect(changed).toEqual({ ...pro, isActive: false, maxDomains: 0, updatedAt: NOW + 1 });
      expect(await plans.find(pro.id)).toEqual(changed);
      expect(await plans.lock(pro.id)).toEqual(changed);
      expect(await plans.lockAmongAll(pro.id)).toEqual(changed);
      expect(await plans.lockAmongAll(pro.id + 1)).toBeUndefined();
      expect(await plans.find(pro.id + 1)).toBeUndefined();
      expect(await plans.lock(pro.id + 1)).toBeUndefined();
      expect(await plans.update(pro.id + 1, { updatedAt: NOW })).toBeUndefined();
    });

    test("a name is unique", async () => {
      const { plans } = world().storage;
      await plans.insert(FREE);
      const pro = await plans.insert({ ...FREE, name: "Pro" });
      const taken = { name: "UniqueViolation", constraint: "plans.name" };
      await expect(plans.insert(FREE)).rejects.toMatchObject(taken);
      await expect(plans.update(pro.id, { name: "Free", updatedAt: NOW })).rejects.toMatchObject(taken);
    });

    test("of 50 that become default at once one remains, and never none or two", async () => {
      const { plans } = world().storage;
      const ids: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        ids.push((await plans.insert({ ...FREE, name: `Plan ${index}` })).id);
      }
      await plans.setDefault(ids[0] ?? 0, NOW);
      await race(async (index) => {
        const set = await plans.setDefault(ids[index % 5] ?? 0, NOW);
        expect(set).toMatchObject({ isDefault: true });
        expect((await plans.list()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
      });
      const standing = (await plans.list()).filter(({ isDefault }) => isDefault);
      expect(standing).toHaveLength(1);
      expect(await plans.findDefault()).toEqual(standing[0]);
      expect(await plans.setDefault(9_999, NOW)).toBeUndefined();
      expect(await plans.findDefault()).toEqual(standing[0]);
      await plans.unsetDefault(NOW);
      expect(await plans.findDefault()).toBeUndefined();
    });

    test("a plan's holders are listed in pages: workspaces by id, then users by id", async () => {
      const { storage, addUser } = world();
      const { id } = await storage.plans.insert(FREE);
      const [ann, ben] = [await addUser("ann@example.com"), await addUser("ben@example.com")];
      for (const user of [ben, ann]) await storage.users.update(user.id, { planId: id });
      await addUser("eve@example.com");
      const shop = await storage.workspaces.insert({ name: "Shop", createdAt: NOW });
      await storage.workspaces.update(shop.id, { planId: id, updatedAt: NOW });
      const holders = [
        { kind: "workspace", id: shop.id, name: "Shop", email: undefined },
        { kind: "user", id: ann.id, name: ann.name, email: "ann@example.com" },
        { kind: "user", id: ben.id, name: ben.name, email: "ben@example.com" },
      ];
      const list = (offset: number, limit: number) => storage.plans.listHolders(id, { offset, limit });
      for (const [from, to] of [
        [0, 20],
        [0, 1],
        [0, 2],
        [1, 2],
        [2, 7],
      ] as const)
        expect(await list(from, to - from)).toMatchObject({ items: holders.slice(from, to), total: 3 });
      expect(await storage.plans.listHolders(id + 1, { offset: 0, limit: 5 })).toMatchObject({
        items: [],
        total: 0,
      });
    });

    test("assignments are counted and removed; an assigned or default plan can't be deleted", async () => {
      const { storage, addUser } = world();
      const { id } = await storage.plans.insert(FREE);
      const pro = await storage.plans.insert({ ...FREE, name: "Pro" });
      const bob = await addUser("bob@example.com");
      await storage.users.update(bob.id, { planId: pro.id });
      const ann = await addUser("ann@example.com");
      await storage.users.update(ann.id, { planId: id });
      for (const name of ["A", "B"]) {
        const workspace = await storage.workspaces.insert({ name, createdAt: NOW });
        await storage.workspaces.update(workspace.id, { planId: id, updatedAt: NOW });
      }
      expect(await storage.plans.countAssignments(id)).toEqual({ workspaces: 2, users: 1 });
      expect(await storage.plans.delete(id)).toBe(false);
      expect(await storage.plans.unassignSome(id, 1)).toEqual({ workspaces: 1, users: 1 });
      expect(await storage.plans.countAssignments(id)).toEqual({ workspaces: 1, users: 0 });
      expect(await storage.plans.unassignAll(id)).toEqual({ workspaces: 1, users: 0 });
      expect((await storage.users.find(ann.id))?.planId).toBeUndefined();
      await storage.plans.setDefault(id, NOW + 1);
      expect(await storage.plans.delete(id)).toBe(false);
      await storage.plans.unsetDefault(NOW + 1);
      expect(await storage.plans.delete(id)).toBe(true);
      expect(await storage.plans.delete(id)).toBe(false);
      expect(await storage.plans.list()).toEqual([pro]);
      expect((await storage.users.find(bob.id))?.planId).toBe(pro.id);
    });
  });
};
