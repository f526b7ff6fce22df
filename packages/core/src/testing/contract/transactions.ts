import { describe, expect, test } from "vitest";
import type { Repositories, Storage, Topic } from "../../ports/storage.ts";
import { race, usePeopleWorld } from "./people-world.ts";
import { NOW } from "./sending-world.ts";

/** The contract of a storage as a whole: transactions, notifications and migrations. */
export const describeTransactions = (open: () => Promise<Storage>): void => {
  describe("transactions", () => {
    const world = usePeopleWorld(open);

    test("the writes of a resolved transaction are committed", async () => {
      const { storage } = world();
      const id = await storage.transaction(async ({ workspaces }) => {
        const workspace = await workspaces.insert({ name: "Acme", createdAt: NOW });
        expect(await workspaces.find(workspace.id)).toEqual(workspace);
        return workspace.id;
      });
      expect((await storage.workspaces.find(id))?.name).toBe("Acme");
    });

    test("a rejected transaction leaves nothing behind and passes its error on", async () => {
      const { storage } = world();
      const refused = storage.transaction(async ({ workspaces }) => {
        await workspaces.insert({ name: "Acme", createdAt: NOW });
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect((await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 })).total).toBe(0);
    });

    test("calls after a transaction's end are refused, and written in no other", async () => {
      const { storage } = world();
      const ended = Promise.withResolvers<Repositories>();
      const failed = storage.transaction(async (repositories) => {
        ended.resolve(repositories);
        throw new RangeError("no");
      });
      await expect(failed).rejects.toThrow(RangeError);
      const late = await ended.promise;
      await storage.transaction(async ({ workspaces }) => {
        await workspaces.insert({ name: "Acme", createdAt: NOW });
        await expect(late.workspaces.insert({ name: "Late", createdAt: NOW })).rejects.toThrow();
      });
      const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 });
      expect(items.map(({ name }) => name)).toEqual(["Acme"]);
    });

    test("of many at once, only those that fail are rolled back", async () => {
      const { storage } = world();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) =>
          storage.transaction(async ({ workspaces }) => {
            await workspaces.insert({ name: `first ${index}`, createdAt: NOW });
            await workspaces.insert({ name: `second ${index}`, createdAt: NOW });
            if (index % 7 === 0) throw new Error("no");
          }),
        ),
      );
      const stand = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
      expect(stand).toEqual(Array.from({ length: 50 }, (_, index) => index).filter((n) => n % 7 !== 0));
      const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 100 });
      expect(items.map(({ name }) => name).sort()).toEqual(
        stand.flatMap((index) => [`first ${index}`, `second ${index}`]).sort(),
      );
    });

    test("transactions that read and then write under a lock lose no update", async () => {
      const { storage } = world();
      const { id } = await storage.workspaces.insert({ name: "0", createdAt: NOW });
      await race(() =>
        storage.transaction(async ({ workspaces }) => {
          const workspace = await workspaces.lock(id);
          await workspaces.update(id, { name: String(Number(workspace?.name) + 1), updatedAt: NOW });
        }),
      );
      expect((await storage.workspaces.find(id))?.name).toBe("50");
    });

    test("a read outside doesn't see uncommitted changes", async () => {
      const { storage } = world();
      const { id } = await storage.workspaces.insert({ name: "before", createdAt: NOW });
      let outside: Promise<string | undefined> | undefined;
      await expect(
        storage.transaction(async ({ workspaces }) => {
          await workspaces.update(id, { name: "after", updatedAt: NOW });
          outside = storage.workspaces.find(id).then((found) => found?.name);
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
      expect(await outside).toBe("before");
    });

    test("subscribers are notified, until they unsubscribe", async () => {
      const { storage } = world();
      const heard: Topic[] = [];
      const both = Promise.withResolvers<void>();
      const stop = storage.subscribe((topic) => {
        heard.push(topic);
        if (heard.includes("emails") && heard.includes("events")) both.resolve();
      });
      await storage.notify(["emails", "events"]);
      await both.promise;
      stop();
      const before = heard.length;
      await storage.notify(["webhooks"]);
      expect(heard.length).toBe(before);
    });

    test("migrating again runs nothing, and every migration has its time", async () => {
      const { storage } = world();
      expect(await storage.migrate()).toEqual([]);
      const migrations = await storage.migrations();
      expect(migrations.length).toBeGreaterThan(0);
      expect(migrations.filter(({ appliedAt }) => appliedAt === undefined)).toEqual([]);
      expect(migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name).sort());
    });

    test("an open storage responds to ping", async () => {
      await expect(world().storage.ping()).resolves.toBeUndefined();
    });
  });
};
