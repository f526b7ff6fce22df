import { describe, expect, test } from "vitest";
import type { MetricChange, Storage } from "../../ports/storage.ts";
import { NOW, useSendingWorld } from "./sending-world.ts";

const HOUR = 3_600_000;

/** Counts of mail: by hour and domain, added up, and kept in sum when their hours are removed. */
export const describeMetrics = (open: () => Promise<Storage>): void => {
  describe("metrics", () => {
    const world = useSendingWorld(open);
    const change = (over: Partial<MetricChange> = {}): MetricChange => ({
      workspaceId: world().workspaceId,
      at: NOW,
      domain: "a.example",
      metric: "accepted",
      by: 1,
      ...over,
    });

    test("add up by hour and by domain, for each workspace alone", async () => {
      const { metrics } = world().storage;
      const { workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      await metrics.count([change(), change({ at: NOW + 1 }), change({ domain: "b.example", by: 5 })]);
      await metrics.count([
        change({ metric: "delivered" }),
        change({ at: NOW + HOUR }),
        change({ workspaceId: other }),
      ]);
      const none = { accepted: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0, suppressed: 0 };
      expect(await metrics.byHour(workspaceId, NOW, NOW + 2 * HOUR)).toEqual([
        { ...none, hour: NOW, accepted: 7, delivered: 1 },
        { ...none, hour: NOW + HOUR, accepted: 1 },
      ]);
      expect(await metrics.byHour(workspaceId, NOW + HOUR, NOW + 2 * HOUR)).toHaveLength(1);
      expect(await metrics.byDomain(workspaceId, NOW, NOW + HOUR, 1)).toEqual([
        { ...none, domain: "b.example", accepted: 5 },
      ]);
      expect(await metrics.totals()).toEqual({ ...none, accepted: 9, delivered: 1 });
    });

    test("since the beginning are told by the domains of large providers, and of all others as one", async () => {
      const { metrics } = world().storage;
      const none = { accepted: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0, suppressed: 0 };
      await metrics.count([
        change({ domain: "gmail.com", by: 3 }),
        change({ domain: "gmail.com", metric: "bounced" }),
        change(),
        change({ domain: "b.example", by: 2 }),
      ]);
      const expected = [
        { ...none, domain: "gmail.com", accepted: 3, bounced: 1 },
        { ...none, domain: "other", accepted: 3 },
      ];
      expect(await metrics.totalsByDomain()).toEqual(expected);
      expect(await metrics.totals()).toEqual({ ...none, accepted: 6, bounced: 1 });
      await metrics.deleteBefore(NOW + HOUR, 10);
      expect(await metrics.totalsByDomain()).toEqual(expected);
    });

    test("of old hours are removed in pieces, and stay in the totals", async () => {
      const { metrics } = world().storage;
      const { workspaceId } = world();
      await metrics.count([change(), change({ metric: "bounced", by: 2 }), change({ at: NOW + HOUR })]);
      expect(await metrics.deleteBefore(NOW + HOUR, 1)).toBe(1);
      expect(await metrics.deleteBefore(NOW + HOUR, 10)).toBe(1);
      expect(await metrics.deleteBefore(NOW + HOUR, 10)).toBe(0);
      expect(await metrics.byHour(workspaceId, NOW, NOW + 2 * HOUR)).toHaveLength(1);
      expect(await metrics.totals()).toMatchObject({ accepted: 2, bounced: 2 });
    });
  });
};
