import { describe, expect, test } from "vitest";
import type { HoldOwner, Storage } from "../../ports/storage.ts";
import { claimAll, leases } from "./claims.ts";
import { NOW, newEmail, useSendingWorld } from "./sending-world.ts";

/** The contract of holds on routes of the e-mail queue. */
export function describeRouteHolds(open: () => Promise<Storage>): void {
  describe("holds on routes", () => {
    const world = useSendingWorld(open);

    test("a held route waits until its time or until it is resumed, the others continue", async () => {
      const { storage } = world();
      const { emailQueue } = storage;
      await storage.emails.insert([newEmail(world(), { route: "w:1" }), newEmail(world(), { route: "w:2" })]);
      await emailQueue.park({ route: "w:1", owner: "server", until: NOW + 50, reason: "first" }, NOW);
      expect(
        await emailQueue.park({ route: "w:1", owner: "server", until: NOW + 20, reason: "shorter" }, NOW + 1),
      ).toBe(false);
      const routes = async (now: number) =>
        (await emailQueue.look(now, 9)).due.map(({ route }) => route).sort();
      expect(await routes(NOW)).toEqual(["w:2"]);
      expect((await emailQueue.look(NOW, 9)).nextAt).toBe(NOW + 50);
      expect(await emailQueue.parked(NOW)).toEqual([
        { route: "w:1", owner: "server", parkedAt: NOW, until: NOW + 50, reason: "first" },
      ]);
      expect(
        await emailQueue.park({ route: "w:1", owner: "server", until: NOW + 60, reason: "longer" }, NOW + 2),
      ).toBe(true);
      expect(await emailQueue.parked(NOW)).toMatchObject([
        { parkedAt: NOW, until: NOW + 60, reason: "longer" },
      ]);
      expect(await routes(NOW + 60)).toEqual(["w:1", "w:2"]);
      const trials = async () =>
        (await emailQueue.look(NOW + 60, 9)).due.flatMap(({ route, isTrial }) => (isTrial ? route : []));
      await emailQueue.endHold("w:1", NOW + 59);
      expect(await trials()).toEqual(["w:1"]);
      expect(await emailQueue.parked(NOW + 60)).toEqual([]);
      const isParked = (route: string, now: number) => emailQueue.isParked(route, now);
      expect([await isParked("w:1", NOW + 59), await isParked("w:1", NOW + 60)]).toEqual([true, false]);
      expect(await isParked("w:2", NOW)).toBe(false);
      const held = async () => (await emailQueue.parked(NOW + 60)).map(({ route }) => route);
      await emailQueue.park({ route: "w:2", owner: "server", until: NOW + 60, reason: "another" }, NOW);
      await emailQueue.park({ route: "w:3", owner: "server", until: NOW + 70, reason: "another" }, NOW);
      await emailQueue.endHold("w:1", NOW + 60);
      expect(await held()).toEqual(["w:3"]);
      expect(await trials()).toEqual(["w:2"]);
      expect(
        await emailQueue.park({ route: "w:2", owner: "server", until: undefined, reason: "for good" }, NOW),
      ).toBe(true);
      await emailQueue.park(
        { route: "w:2", owner: "server", until: NOW + 99_999, reason: "not for good" },
        NOW,
      );
      expect(await routes(NOW + 1e9)).toEqual(["w:1"]);
      expect(await emailQueue.unpark("w:2", ["server"])).toBe(true);
      expect(await emailQueue.unpark("w:2", ["server"])).toBe(false);
      expect(await held()).toEqual(["w:3"]);
      expect(await routes(NOW + 60)).toEqual(["w:1", "w:2"]);
    });

    test("a hold begins anew once it has ended, and one as long as that which stands changes nothing", async () => {
      const { emailQueue } = world().storage;
      const park = (now: number, until: number) =>
        emailQueue.park({ route: "w:1", owner: "server", until, reason: "away" }, now);
      expect([await park(NOW, NOW + 50), await park(NOW + 1, NOW + 50)]).toEqual([true, false]);
      expect(await park(NOW + 50, NOW + 90)).toBe(true);
      expect(await emailQueue.parked(NOW + 50)).toMatchObject([{ parkedAt: NOW + 50, until: NOW + 90 }]);
    });

    test("a look tells the later of a hold's end and when the first e-mail behind it is due", async () => {
      const { emailQueue, emails } = world().storage;
      await emails.insert([newEmail(world(), { route: "w:1", dueAt: NOW + 20 })]);
      for (const [until, nextAt] of [
        [NOW + 10, NOW + 20],
        [NOW + 30, NOW + 30],
      ] as const) {
        await emailQueue.park({ route: "w:1", owner: "server", until, reason: "away" }, NOW);
        expect(await emailQueue.look(NOW, 9)).toEqual({ due: [], nextAt });
      }
    });

    test("each owner's hold is its own: the route waits for all, and one lifts none of the others", async () => {
      const { storage } = world();
      const { emailQueue } = storage;
      await storage.emails.insert([newEmail(world(), { route: "c:1:1" })]);
      const look = (now: number) => emailQueue.look(now, 9);
      const park = (owner: HoldOwner, until: number | undefined) =>
        emailQueue.park({ route: "c:1:1", owner, until, reason: owner }, NOW);
      expect([await park("server", NOW + 9), await park("campaign", undefined)]).toEqual([true, true]);
      expect([await park("operator", undefined), await park("operator", undefined)]).toEqual([true, false]);
      expect((await emailQueue.routes(NOW, 9)).map(({ holds }) => holds)).toEqual([
        [
          { owner: "campaign", parkedAt: NOW, until: undefined, reason: "campaign" },
          { owner: "operator", parkedAt: NOW, until: undefined, reason: "operator" },
          { owner: "server", parkedAt: NOW, until: NOW + 9, reason: "server" },
        ],
      ]);
      expect(await emailQueue.unpark("c:1:1", ["campaign"])).toBe(true);
      expect(await emailQueue.unpark("c:1:1", ["campaign"])).toBe(false);
      expect(await look(NOW + 9)).toEqual({ due: [], nextAt: undefined });
      expect(await emailQueue.opensAt({ route: "c:1:1", lane: 1 })).toBe(Number.POSITIVE_INFINITY);
      const others = ["c:10:1", "s:10:1", "w:10"];
      const own = ["s:1:1", "w:1"];
      for (const route of [...others, ...own])
        await emailQueue.park({ route, owner: "server", until: undefined, reason: "" }, NOW);
      await emailQueue.unparkServers(1);
      const left = (await emailQueue.parked(NOW)).map(({ route, owner }) => `${owner} ${route}`);
      expect(left.sort()).toEqual(["operator c:1:1", ...others.map((route) => `server ${route}`)]);
      await park("server", NOW + 9);
      expect(await emailQueue.unpark("c:1:1", ["operator"])).toBe(true);
      expect(await look(NOW)).toEqual({ due: [], nextAt: NOW + 9 });
      expect(await look(NOW + 9)).toMatchObject({ due: [{ route: "c:1:1", isTrial: true }] });
    });

    test("tells when the next waiting e-mail of a part can be claimed", async () => {
      const { emailQueue, emails } = world().storage;
      const opensAt = () => emailQueue.opensAt({ route: "w:1", lane: 1 });
      await emails.insert([
        newEmail(world(), { route: "w:1", lane: 0 }),
        newEmail(world(), { route: "w:2", dueAt: NOW - 1 }),
      ]);
      expect(await opensAt()).toBe(undefined);
      await emails.insert([8, 5, 6].map((ms) => newEmail(world(), { route: "w:1", dueAt: NOW + ms })));
      expect(await opensAt()).toBe(NOW + 5);
      const claimed = await claimAll(world().storage, { now: NOW + 5, limit: 1 });
      expect(claimed.map(({ route, lane }) => [route, lane])).toEqual([
        ["w:2", 1],
        ["w:1", 0],
        ["w:1", 1],
      ]);
      expect(await opensAt()).toBe(undefined);
      await emailQueue.release(leases(claimed.slice(2)));
      expect(await opensAt()).toBe(NOW + 5);
      await emailQueue.park({ route: "w:2", owner: "server", until: NOW + 70, reason: "away" }, NOW);
      await emailQueue.park({ route: "w:3", owner: "operator", until: undefined, reason: "" }, NOW);
      await emailQueue.park({ route: "w:1", owner: "server", until: NOW + 3, reason: "away" }, NOW);
      expect(await opensAt()).toBe(NOW + 5);
      await emailQueue.park({ route: "w:1", owner: "server", until: NOW + 50, reason: "away" }, NOW);
      expect(await opensAt()).toBe(NOW + 50);
      await emailQueue.park({ route: "w:1", owner: "server", until: undefined, reason: "paused" }, NOW);
      expect(await opensAt()).toBe(Number.POSITIVE_INFINITY);
    });
  });
}
