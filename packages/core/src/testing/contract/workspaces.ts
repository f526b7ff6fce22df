import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { race, usePeopleWorld } from "./people-world.ts";
import { freshSettings, NOW } from "./sending-world.ts";

/** The contract of workspaces and their settings. */
export const describeWorkspaces = (open: () => Promise<Storage>): void => {
  describe("workspaces", () => {
    const world = usePeopleWorld(open);

    test("a workspace is stored, changed in the given fields only, and searched for by name", async () => {
      const { storage } = world();
      const acme = await storage.workspaces.insert({ name: "Acme 50%", isTrusted: true, createdAt: NOW });
      const other = await storage.workspaces.insert({ name: "Other", isTrusted: false, createdAt: NOW });
      expect(acme).toMatchObject({
        planId: undefined,
        isTrusted: true,
        stylesheetSetId: undefined,
        updatedAt: NOW,
      });
      expect(await storage.workspaces.find(acme.id)).toEqual(acme);
      expect(await storage.workspaces.lock(acme.id)).toEqual(acme);
      expect([await storage.workspaces.hold(acme.id), await storage.workspaces.hold(999)]).toEqual([
        true,
        false,
      ]);
      const stylesheetSetId = await storage.contents.putStylesheetSet("p{}");
      const styled = await storage.workspaces.update(acme.id, { stylesheetSetId, updatedAt: NOW + 1 });
      expect(styled).toEqual({ ...acme, stylesheetSetId, updatedAt: NOW + 1 });
      const plain = await storage.workspaces.update(acme.id, {
        name: "Acme 60%",
        stylesheetSetId: undefined,
        updatedAt: NOW + 2,
      });
      expect(plain).toEqual({ ...acme, name: "Acme 60%", updatedAt: NOW + 2 });
      const trusted = await storage.workspaces.update(other.id, { isTrusted: true, updatedAt: NOW + 3 });
      expect(trusted).toEqual({ ...other, isTrusted: true, updatedAt: NOW + 3 });
      const slice = { offset: 0, limit: 10 };
      expect((await storage.workspaces.list({ q: undefined }, slice)).items).toEqual([trusted, plain]);
      expect(await storage.workspaces.list({ q: "ME 60%" }, slice)).toEqual({ items: [plain], total: 1 });
      expect(await storage.workspaces.list({ q: "50" }, slice)).toEqual({ items: [], total: 0 });
      expect(await storage.workspaces.update(other.id + 1, { name: "x", updatedAt: NOW })).toBeUndefined();
    });

    test("concurrent inserts with one external id create one, which is found by it", async () => {
      const { storage } = world();
      const given = { name: "Acme", externalId: "tenant/1", createdAt: NOW };
      const made = await race(() => storage.workspaces.insertUnlessThere(given));
      const [acme, ...more] = made.filter((workspace) => workspace !== undefined);
      expect(more).toEqual([]);
      expect(acme).toMatchObject({ externalId: "tenant/1", isTrusted: true });
      expect(await storage.workspaces.findByExternalId("tenant/1")).toEqual(acme);
      expect(await storage.workspaces.findByExternalId("Tenant/1")).toBeUndefined();
    });

    test("a user's workspaces come with the role, newest first, and those owned are counted", async () => {
      const { storage, addUser, addWorkspace } = world();
      const [ann, bob] = [await addUser("ann@example.com"), await addUser("bob@example.com")];
      const [a, b] = [await addWorkspace("A", ann.id), await addWorkspace("B", bob.id)];
      await storage.members.insert({ workspaceId: b.id, userId: ann.id, role: "viewer", createdAt: NOW });
      expect(await storage.workspaces.listFor(ann.id, { offset: 0, limit: 10 })).toMatchObject({
        items: [
          { ...b, role: "viewer" },
          { ...a, role: "owner" },
        ],
        total: 2,
      });
      expect((await storage.workspaces.listFor(ann.id, { offset: 1, limit: 1 })).items).toHaveLength(1);
      expect(await storage.workspaces.countOwnedBy(ann.id)).toBe(1);
    });

    test("workspaces whose senders are bound are those that require verified domains, or that nobody trusts", async () => {
      const { storage, addUser, addWorkspace } = world();
      const ann = await addUser("ann@example.com");
      const made = [];
      for (const name of ["free", "strict", "untrusted", "both", "not asked for"])
        made.push((await addWorkspace(name, ann.id)).id);
      const [free = 0, strict = 0, untrusted = 0, both = 0] = made;
      for (const id of made) await storage.settings.insert(freshSettings(id));
      for (const id of made)
        await storage.workspaces.update(id, { isTrusted: id === free || id === strict, updatedAt: NOW });
      for (const id of [strict, both])
        await storage.settings.update(id, { requireVerifiedDomain: true, updatedAt: NOW });
      const bound = await storage.workspaces.listBoundSenders([free, strict, untrusted, both]);
      expect(bound.toSorted((a, b) => a.workspaceId - b.workspaceId)).toEqual([
        { workspaceId: strict, isTrusted: true, requireVerifiedDomain: true },
        { workspaceId: untrusted, isTrusted: false, requireVerifiedDomain: false },
        { workspaceId: both, isTrusted: false, requireVerifiedDomain: true },
      ]);
      expect(await storage.workspaces.listBoundSenders([free])).toEqual([]);
      expect(await storage.workspaces.listBoundSenders([])).toEqual([]);
    });

    test("deleting a workspace deletes what belongs to it, and its id is never reused", async () => {
      const { storage, addUser, addWorkspace } = world();
      const ann = await addUser("ann@example.com");
      const { id } = await addWorkspace("A", ann.id);
      await storage.stylesheets.insert({ id: "s", workspaceId: id, name: "n", css: "", createdAt: NOW });
      const holds = (of: number) => [`w:${of}`, `s:${of}:3`, `c:${of}:4`];
      for (const route of [...holds(id), ...holds(10 * id)])
        await storage.emailQueue.park({ route, owner: "server", until: undefined, reason: "paused" }, NOW);
      expect(await storage.workspaces.delete(id)).toBe(true);
      expect(await storage.workspaces.delete(id)).toBe(false);
      const held = await storage.emailQueue.parked(NOW);
      expect(held.map(({ route }) => route)).toEqual(holds(10 * id).sort());
      expect(await storage.members.roleOf(id, ann.id)).toBeUndefined();
      expect(await storage.stylesheets.find(id, "s")).toBeUndefined();
      expect((await addWorkspace("B", ann.id)).id).not.toBe(id);
    });

    test("settings belong to one workspace, and only the given fields change", async () => {
      const { storage } = world();
      const { id } = await storage.workspaces.insert({ name: "Acme", createdAt: NOW });
      const fresh = freshSettings(id);
      expect(await storage.settings.insert(fresh)).toMatchObject(fresh);
      await expect(storage.settings.insert(fresh)).rejects.toMatchObject({
        constraint: "settings.workspace",
      });
      const changes = { bounceAutoSuppress: false, webhookRetryCount: 0, updatedAt: NOW + 1 };
      expect(await storage.settings.update(id, changes)).toMatchObject({ ...fresh, ...changes });
      expect(await storage.settings.find(id)).toMatchObject({ ...fresh, ...changes });
      expect(await storage.settings.find(id + 1)).toBeUndefined();
      expect(await storage.settings.update(id + 1, { updatedAt: NOW })).toBeUndefined();
    });
  });

  describe("operations", () => {
    const world = usePeopleWorld(open);

    test("a fact is stored by the first caller, and replaced only on request", async () => {
      const { operations } = world().storage;
      expect(await operations.findFact("secret_key")).toBeUndefined();
      const kept = await Promise.all(
        ["a", "b", "c"].map((value) => operations.keepFact("secret_key", value)),
      );
      expect(new Set(kept).size).toBe(1);
      await operations.replaceFact("secret_key", "d");
      expect(await operations.keepFact("secret_key", "e")).toBe("d");
      await operations.keepFact("domain_hosts", "f");
      await operations.forgetFact("secret_key");
      expect(await operations.findFact("secret_key")).toBeUndefined();
      expect(await operations.findFact("domain_hosts")).toBe("f");
    });

    test("a job is one worker's until it ends it, or its time is over", async () => {
      const { operations } = world().storage;
      const take = (worker: string, now: number) => operations.takeJob("j", worker, now, now + 60_000);
      const workers = ["a", "b", "c"];
      const taken = await Promise.all(workers.map((worker) => take(worker, NOW)));
      const owners = workers.filter((_, at) => taken[at]);
      expect(owners).toHaveLength(1);
      for (const owner of owners) expect(await take(owner, NOW)).toBe(true);
      for (const other of workers.filter((_, at) => !taken[at])) await operations.endJob("j", other);
      expect(await take("d", NOW + 59_999)).toBe(false);
      expect(await take("d", NOW + 60_000)).toBe(true);
      expect(await operations.takeJob("k", "d", NOW, NOW + 60_000)).toBe(true);
      await operations.endJob("j", "d");
      expect(await take("e", NOW)).toBe(true);
      expect(await operations.takeJob("k", "e", NOW, NOW + 60_000)).toBe(false);
    });

    test("a job is free again once a clock that was ahead when it was taken is set right", async () => {
      const { operations } = world().storage;
      const take = (worker: string, now: number) => operations.takeJob("j", worker, now, now + 60_000);
      expect(await take("a", NOW + 800 * 86_400_000)).toBe(true);
      expect(await take("b", NOW)).toBe(true);
      expect(await take("a", NOW - 60_000)).toBe(false);
      expect(await take("a", NOW - 60_001)).toBe(true);
    });

    test("ids that a restored copy's original may have assigned are skipped", async () => {
      const { workspaces, operations } = world().storage;
      const add = () => workspaces.insert({ name: "Shop", isTrusted: true, createdAt: NOW });
      const { id } = await add();
      await operations.skipIds();
      expect((await add()).id).toBe(id + 1_001);
    });

    test("lists workers seen since a time, newest first", async () => {
      const { operations } = world().storage;
      await operations.beat("a", NOW);
      await operations.beat("b", NOW + 1);
      await operations.beat("old", NOW - 1);
      await operations.beat("a", NOW + 2);
      expect(await operations.listWorkers(NOW)).toEqual([
        { worker: "a", seenAt: NOW + 2 },
        { worker: "b", seenAt: NOW + 1 },
      ]);
      await operations.restoreSeen(NOW + 1, NOW);
      expect(await operations.listWorkers(NOW + 1)).toEqual([{ worker: "b", seenAt: NOW + 1 }]);
      await operations.beat("older", NOW - 2);
      expect(await operations.deleteWorkers(NOW, 1)).toBe(1);
      expect(await operations.deleteWorkers(NOW, 9)).toBe(1);
      expect(await operations.listWorkers(0)).toHaveLength(2);
      await operations.forgetWorker("a");
      expect((await operations.listWorkers(NOW)).map(({ worker }) => worker)).toEqual(["b"]);
    });
  });
};
