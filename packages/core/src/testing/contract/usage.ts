import { describe, expect, test } from "vitest";
import type { Storage, UsageRequest } from "../../ports/storage.ts";
import { DAY, HOUR, NOW, useSendingWorld } from "./sending-world.ts";

/** The contract of `Usage`: counters are exact under concurrency. */
export function describeUsage(open: () => Promise<Storage>): void {
  describe("usage", () => {
    const world = useSendingWorld(open);

    function request(recipients: number, hourLimit: number, dayLimit: number): UsageRequest {
      return {
        workspaceId: world().workspaceId,
        recipients,
        hour: { start: NOW, limit: hourLimit },
        day: { start: NOW, limit: dayLimit },
      };
    }
    const used = () => world().storage.usage.find(world().workspaceId, NOW, NOW);

    test("charges what fits and refuses the rest, in order", async () => {
      const { usage } = world().storage;
      const outcomes = await usage.reserve([request(3, 5, 0), request(3, 5, 0), request(2, 5, 0)]);
      expect(outcomes).toEqual([
        { allowed: true },
        { allowed: false, window: "hour", used: 3, limit: 5 },
        { allowed: true },
      ]);
      expect(await used()).toEqual({ hour: 5, day: 5 });
    });

    test("future charges are listed, and can be returned", async () => {
      const { usage } = world().storage;
      const { workspaceId } = world();
      const ahead = {
        ...request(2, 5, 0),
        hour: { start: NOW + DAY, limit: 5 },
        day: { start: NOW + DAY, limit: 0 },
      };
      const other = await world().addWorkspace("Other");
      await usage.reserve([request(3, 5, 0), ahead, { ...ahead, workspaceId: other }]);
      await usage.release([{ ...ahead, recipients: 1 }]);
      const listed = await usage.listFrom(workspaceId, NOW + 1);
      expect(listed.toSorted((a, b) => a.window.localeCompare(b.window))).toEqual([
        { window: "day", start: NOW + DAY, used: 1 },
        { window: "hour", start: NOW + DAY, used: 1 },
      ]);
      expect(await used()).toEqual({ hour: 3, day: 3 });
    });

    test("a request that the day's limit refuses charges neither window", async () => {
      const { usage } = world().storage;
      expect(await usage.reserve([request(4, 10, 4)])).toEqual([{ allowed: true }]);
      expect(await usage.reserve([request(1, 10, 4)])).toEqual([
        { allowed: false, window: "day", used: 4, limit: 4 },
      ]);
      expect(await used()).toEqual({ hour: 4, day: 4 });
    });

    test("a limit of 0 is unlimited, and counted nevertheless", async () => {
      const { usage } = world().storage;
      expect(await usage.reserve([request(1_000_000, 0, 0)])).toEqual([{ allowed: true }]);
      expect(await used()).toEqual({ hour: 1_000_000, day: 1_000_000 });
    });

    test("counts without a limit add up, also at once", async () => {
      const { storage } = world();
      const one = request(2, 0, 0);
      await storage.usage.reserve([request(1, 5, 0)]);
      await storage.transaction((tx) => tx.usage.count([one, one]));
      await Promise.all(Array.from({ length: 10 }, () => storage.usage.count([one])));
      await storage.usage.count([]);
      expect(await used()).toEqual({ hour: 25, day: 25 });
    });

    test("counts without a limit are charged to a later limit", async () => {
      const { storage, workspaceId } = world();
      const before = { hour: { start: NOW - DAY, limit: 0 }, day: { start: NOW - DAY, limit: 0 } };
      const other = { workspaceId: await world().addWorkspace("Other") };
      const others = [
        { ...request(9, 0, 0), ...before },
        { ...request(9, 0, 0), ...other },
      ];
      await storage.usage.count([request(3, 0, 0), ...others]);
      const outcomes = await storage.usage.reserve([request(1, 5, 0), request(2, 5, 0), request(1, 5, 0)]);
      expect(outcomes.map(({ allowed }) => allowed)).toEqual([true, false, true]);
      await storage.usage.count([request(1, 0, 0)]);
      expect(await storage.usage.find(workspaceId, NOW, NOW)).toEqual({ hour: 6, day: 6 });
      const [over] = await storage.usage.reserve([request(1, 5, 0)]);
      expect(over).toEqual({ allowed: false, window: "hour", used: 6, limit: 5 });
    });

    test("windows and workspaces are counted separately", async () => {
      const { usage } = world().storage;
      const other = await world().addWorkspace("Other");
      const nextHour = NOW + HOUR;
      const outcomes = await usage.reserve([
        request(5, 5, 10),
        { ...request(5, 5, 10), workspaceId: other },
        { ...request(5, 5, 10), hour: { start: nextHour, limit: 5 } },
        { ...request(1, 5, 10), hour: { start: nextHour + HOUR, limit: 5 } },
      ]);
      expect(outcomes.map((outcome) => outcome.allowed)).toEqual([true, true, true, false]);
      expect(await usage.find(other, NOW, NOW)).toEqual({ hour: 5, day: 5 });
      expect(await usage.find(world().workspaceId, nextHour, NOW)).toEqual({ hour: 5, day: 10 });
      expect(await usage.find(world().workspaceId, NOW + DAY, NOW + DAY)).toEqual({ hour: 0, day: 0 });
    });

    test("of a hundred at once, with one left, exactly one is allowed", async () => {
      const { storage } = world();
      await storage.usage.reserve([request(9, 10, 0)]);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => storage.usage.reserve([request(1, 10, 0)])),
      );
      expect(outcomes.flat().filter((outcome) => outcome.allowed)).toHaveLength(1);
      expect(await used()).toEqual({ hour: 10, day: 10 });
    });

    test("concurrent transactions that charge several workspaces are exact, too", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const pair = [request(1, 15, 0), { ...request(1, 15, 0), workspaceId: other }];
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.transaction((tx) => tx.usage.reserve(index % 2 === 0 ? pair : [...pair].reverse())),
        ),
      );
      expect(outcomes.flat().filter((outcome) => outcome.allowed)).toHaveLength(30);
      expect(await storage.usage.find(workspaceId, NOW, NOW)).toEqual({ hour: 15, day: 15 });
      expect(await storage.usage.find(other, NOW, NOW)).toEqual({ hour: 15, day: 15 });
    });

    test("a transaction that is rolled back charges nothing", async () => {
      const { storage } = world();
      const failed = storage.transaction(async (tx) => {
        await tx.usage.reserve([request(3, 5, 5)]);
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect(await used()).toEqual({ hour: 0, day: 0 });
    });

    test("old windows are removed, a bounded number at a time", async () => {
      const { usage } = world().storage;
      for (const start of [NOW, NOW + DAY, NOW + 2 * DAY])
        await usage.reserve([{ ...request(1, 0, 0), hour: { start, limit: 0 }, day: { start, limit: 0 } }]);
      expect(await usage.deleteBefore(NOW + 2 * DAY, 3)).toBe(3);
      expect(await usage.deleteBefore(NOW + 2 * DAY, 3)).toBe(1);
      expect(await usage.deleteBefore(NOW + 2 * DAY, 3)).toBe(0);
      expect(await usage.find(world().workspaceId, NOW + 2 * DAY, NOW + 2 * DAY)).toEqual({
        hour: 1,
        day: 1,
      });
    });
  });
}
