import { describe, expect, test } from "vitest";
import type { MetricChange, Storage } from "../../ports/storage.ts";
import { HOUR, NOW, useSendingWorld } from "./sending-world.ts";

/** The contract of mail counts: by hour and domain, added up, and kept in total when hours are removed. */
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

    test("add up by hour and by domain, for each workspace separately", async () => {
      const { metrics } = world().storage;
      const { workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      const span = { workspaceId, from: NOW, until: NOW + 2 * HOUR };
      await metrics.count([change(), change({ at: NOW + 1 }), change({ domain: "b.example", by: 5 })]);
      await metrics.count([
        change({ metric: "delivered" }),
        change({ at: NOW + HOUR }),
        change({ workspaceId: other }),
      ]);
      const none = { accepted: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0, suppressed: 0 };
      const byHour = { every: HOUR, domains: 1 };
      expect((await metrics.read(span, byHour)).series).toEqual([
        { ...none, start: NOW, accepted: 7, delivered: 1 },
        { ...none, start: NOW + HOUR, accepted: 1 },
      ]);
      expect((await metrics.read(span, { every: 24 * HOUR, domains: 1 })).series).toEqual([
        { ...none, start: NOW, accepted: 8, delivered: 1 },
      ]);
      expect((await metrics.read({ ...span, from: NOW + HOUR }, byHour)).series).toHaveLength(1);
      expect(await metrics.read({ ...span, until: NOW + HOUR }, byHour)).toMatchObject({
        domains: [{ ...none, domain: "b.example", accepted: 5 }],
        others: { ...none, accepted: 2, delivered: 1 },
      });
      expect(await metrics.read({ ...span, from: NOW + 2 * HOUR }, byHour)).toEqual({
        series: [],
        domains: [],
        others: none,
      });
      expect(await metrics.totals()).toEqual({ ...none, accepted: 9, delivered: 1 });
    });

    test("are the same after they were folded", async () => {
      const { metrics, operations } = world().storage;
      const span = { workspaceId: world().workspaceId, from: NOW, until: NOW + HOUR };
      await metrics.count([change({ by: 3 })]);
      await metrics.count([change({ metric: "delivered" })]);
      const before = [await metrics.read(span, { every: HOUR, domains: 1 }), await metrics.totals()];
      while ((await operations.foldCounters(1)) > 0);
      expect([await metrics.read(span, { every: HOUR, domains: 1 }), await metrics.totals()]).toEqual(before);
      await metrics.count([change()]);
      expect(await metrics.totals()).toMatchObject({ accepted: 4, delivered: 1 });
    });

    test("have one row a day and the requested number of domains; the others are summed", async () => {
      const { metrics } = world().storage;
      const { workspaceId } = world();
      // More sums than one piece reads.
      const hours = 61;
      const domains = 40;
      await metrics.count(
        Array.from({ length: hours * domains }, (_, n) =>
          change({ at: NOW + (n % hours) * HOUR, domain: `${n % domains}.example`, by: (n % domains) + 1 }),
        ),
      );
      const span = { workspaceId, from: NOW, until: NOW + hours * HOUR };
      const {
        series: days,
        domains: top,
        others,
      } = await metrics.read(span, { every: 24 * HOUR, domains: 3 });
      expect(days.map(({ start }) => (start - NOW) / HOUR)).toEqual([0, 24, 48]);
      const all = (hours * domains * (domains + 1)) / 2;
      const sumOf = (rows: readonly { accepted: number }[]) =>
        rows.reduce((sum, { accepted }) => sum + accepted, 0);
      expect(sumOf(days)).toBe(all);
      expect(top.map(({ domain, accepted }) => [domain, accepted])).toEqual([
        ["39.example", 40 * hours],
        ["38.example", 39 * hours],
        ["37.example", 38 * hours],
      ]);
      expect(sumOf([...top, others])).toBe(all);
      const rest = await metrics.read(span, { every: HOUR, domains });
      expect([rest.domains.length, rest.others.accepted]).toEqual([domains, 0]);
    });

    test("since the beginning distinguish the domains of large providers, and sum all others", async () => {
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

    test("can be taken back from their hour, but not from the totals", async () => {
      const { metrics } = world().storage;
      const span = { workspaceId: world().workspaceId, from: NOW, until: NOW + 2 * HOUR };
      await metrics.count([change({ metric: "bounced", by: 3 }), change({ at: NOW + HOUR })]);
      await metrics.takeBack([
        change({ metric: "bounced", at: NOW + 1 }),
        change({ metric: "bounced" }),
        change({ at: NOW + HOUR }),
      ]);
      const { series, domains } = await metrics.read(span, { every: HOUR, domains: 1 });
      expect(series.map(({ accepted, bounced }) => [accepted, bounced])).toEqual([
        [0, 1],
        [0, 0],
      ]);
      expect(domains).toMatchObject([{ domain: "a.example", accepted: 0, bounced: 1 }]);
      expect(await metrics.totals()).toMatchObject({ accepted: 1, bounced: 3 });
    });

    test("of old hours are removed in pieces, and remain in the totals", async () => {
      const { metrics } = world().storage;
      const { workspaceId } = world();
      await metrics.count([change(), change({ metric: "bounced", by: 2 }), change({ at: NOW + HOUR })]);
      expect(await metrics.deleteBefore(NOW + HOUR, 1)).toBe(1);
      expect(await metrics.deleteBefore(NOW + HOUR, 10)).toBe(1);
      expect(await metrics.deleteBefore(NOW + HOUR, 10)).toBe(0);
      const span = { workspaceId, from: NOW, until: NOW + 2 * HOUR };
      const left = await metrics.read(span, { every: HOUR, domains: 1 });
      expect(left.series).toHaveLength(1);
      expect(await metrics.totals()).toMatchObject({ accepted: 2, bounced: 2 });
      // What was removed is not taken back again.
      await metrics.takeBack([
        change(),
        change({ domain: "b.example", at: NOW + HOUR }),
        change({ metric: "bounced" }),
        change({ metric: "bounced", at: NOW + HOUR }),
      ]);
      expect(await metrics.read(span, { every: HOUR, domains: 1 })).toEqual(left);
    });
  });
};
