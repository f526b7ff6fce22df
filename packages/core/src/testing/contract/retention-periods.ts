import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, newEmail, useSendingWorld } from "./sending-world.ts";
import { newPlan } from "./walked-rows.ts";

/** The contract of the retention periods: a workspace's own, and those that are the same for all. */
export const describeRetentionPeriods = (open: () => Promise<Storage>): void => {
  describe("retention periods", () => {
    const world = useSendingWorld(open);

    test("lists periods by workspace: the plan's for the log, its own for contents", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      await storage.settings.update(other, { contentRetentionDays: 3, updatedAt: NOW });
      const none = { logDays: 0, contentDays: 0 };
      expect(await storage.retention.listClocks(0, 9)).toEqual([
        { workspaceId, ...none },
        { workspaceId: other, ...none, contentDays: 3 },
      ]);
      expect(await storage.retention.listClocks(workspaceId, 9)).toHaveLength(1);
      expect(await storage.retention.listClocks(0, 1)).toHaveLength(1);
      const addPlan = (name: string, emailLogRetentionDays: number) =>
        storage.plans.insert({ ...newPlan, name, emailLogRetentionDays });
      const [assigned, standard] = [await addPlan("Assigned", 30), await addPlan("Standard", 7)];
      await storage.plans.setDefault(standard.id, NOW);
      await storage.workspaces.update(other, { planId: assigned.id, updatedAt: NOW });
      const days = (await storage.retention.listClocks(0, 9)).map(({ logDays }) => logDays);
      expect(days).toEqual([7, 30]);
    });

    test("counts what other periods have expired", async () => {
      const { storage, workspaceId } = world();
      const { retention, reports, operations, emailQueue } = storage;
      await operations.beat("gone", NOW - 2);
      await reports.noteBounceDay({
        workspaceId,
        address: "a@b.example",
        category: "mailbox_full",
        at: NOW - 2,
        since: 0,
      });
      for (const [route, until] of [
        ["w:1", NOW - 2],
        ["w:2", NOW],
        ["w:3", undefined],
        ["w:4", NOW - 3],
      ] as const)
        await emailQueue.park({ route, owner: "server", until, reason: "down" }, NOW - 9);
      // Another owner's hold on the route of one that has ended stands.
      await emailQueue.park({ route: "w:1", owner: "operator", until: undefined, reason: "" }, NOW - 9);
      // What nobody could try since the hold ended still goes one by one.
      await storage.emails.insert([newEmail(world(), { route: "w:4" })]);
      // Bounces are kept by whole days.
      const dayEnd = (Math.floor((NOW - 2) / 86_400_000) + 1) * 86_400_000;
      for (const [table, end] of [
        ["workers", NOW - 1],
        ["bounce_days", dayEnd],
        ["parked_routes", NOW - 1],
      ] as const)
        expect([await retention.countTimed(table, end - 1), await retention.countTimed(table, end)]).toEqual([
          0, 1,
        ]);
      expect(await retention.countTimed("sessions", NOW)).toBe(0);
      for (const [before, count] of [
        [NOW - 2, 0],
        [NOW + 1, 1],
        [NOW + 1, 1],
        [NOW + 1, 0],
      ] as const)
        expect(await emailQueue.deleteHoldsBefore(before, 1)).toBe(count);
      expect(await emailQueue.parked(NOW - 9)).toMatchObject([
        { route: "w:1", owner: "operator" },
        { route: "w:3" },
        { route: "w:4" },
      ]);
    });
  });
};
