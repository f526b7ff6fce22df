import { describe, expect, test } from "vitest";
import { workspaceRoute } from "../../mail/rules/routes.ts";
import type { Storage } from "../../ports/storage.ts";
import { ids, LEASE, resultOf, sent, the, useQueue } from "./claims.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

/**
 * The contract of claims from the e-mail queue, and of its routes, lanes and holds. The contract of settlements is in
 * `email-settlements.ts`.
 */
export function describeEmailQueue(open: () => Promise<Storage>): void {
  describe("e-mail queue", () => {
    const { world, claim, nextAt, insert } = useQueue(open);

    test("claims due e-mails, longest due first", async () => {
      const { emailQueue } = world().storage;
      const third = await insert(1, { dueAt: NOW });
      const first = await insert(1, { dueAt: NOW - 2 });
      const second = await insert(1, { dueAt: NOW - 1 });
      const later = await insert(1, { dueAt: NOW + 1 });
      expect(ids(await claim({ limit: 2 }))).toEqual([...first, ...second]);
      const claimed = await claim();
      expect(ids(claimed)).toEqual(third);
      expect(claimed[0]).toMatchObject({
        attempt: 1,
        route: workspaceRoute(world().workspaceId),
        lane: 1,
        dueAt: NOW,
        email: { status: "sending", subject: "Hello" },
        damaged: false,
      });
      expect(claimed[0]?.recipients.map(({ address }) => address)).toEqual(["ada@example.com"]);
      expect(await claim()).toEqual([]);
      expect(await nextAt()).toBe(NOW + 1);
      expect(await emailQueue.status(NOW)).toEqual({ due: 0, waiting: 1, leased: 3, oldestDueAt: undefined });
      expect(ids(await claim({ now: NOW + 1 }))).toEqual(later);
      expect(await nextAt()).toBeUndefined();
    });

    test("skips e-mails due before the given start", async () => {
      const { emailQueue } = world().storage;
      await insert(1, { dueAt: NOW - 5 });
      const [younger = ""] = await insert(1, { dueAt: NOW - 4 });
      const want = { route: workspaceRoute(world().workspaceId), lane: 1 as const, since: NOW - 4, limit: 9 };
      const claimed = await emailQueue.claim({
        wants: [want],
        now: NOW,
        leaseMs: LEASE,
        worker: "w",
        maxBytes: 1e9,
      });
      expect(ids(claimed)).toEqual([younger]);
    });

    test("starts at the given time in known routes, and finds unknown routes between them", async () => {
      const { emailQueue } = world().storage;
      for (const route of ["a:1", "a:2", "b:1", "b:2", "c:1"]) {
        await insert(1, { route, dueAt: NOW - 50 });
        await insert(1, { route, dueAt: NOW - 20 });
      }
      await insert(1, { route: "b:1", lane: 0, dueAt: NOW + 5 });
      const floors = ["a:2", "b:1"].flatMap((route) =>
        ([0, 1, 2] as const).map((lane) => ({ route, lane, since: NOW - 30 })),
      );
      const { due, nextAt } = await emailQueue.look(NOW, 9, floors);
      expect(due).toEqual([
        { route: "a:1", lane: 1, dueAt: NOW - 50 },
        { route: "b:2", lane: 1, dueAt: NOW - 50 },
        { route: "c:1", lane: 1, dueAt: NOW - 50 },
        { route: "a:2", lane: 1, dueAt: NOW - 20 },
        { route: "b:1", lane: 1, dueAt: NOW - 20 },
      ]);
      expect(nextAt).toBe(NOW + 5);
      expect((await emailQueue.look(NOW, 9)).due.every(({ dueAt }) => dueAt === NOW - 50)).toBe(true);
    });

    test("claims at most the given bytes, but always one", async () => {
      const payload = { ...newEmail(world()).payload, data: { text: "x".repeat(10_000) } };
      await insert(3, { payload });
      const [first] = await claim({ maxBytes: 5 });
      const { bytes } = the(first);
      await insert(1, { payload });
      expect(await claim({ maxBytes: 2 * bytes })).toHaveLength(2);
      expect(await claim({ maxBytes: bytes })).toHaveLength(1);
    });

    test("counts the bytes of a content that is sent as written", async () => {
      await insert(2, { literalBytes: 10_000 });
      const [first] = await claim({ maxBytes: 5_000 });
      expect(first?.bytes).toBeGreaterThan(10_000);
      expect(await claim()).toHaveLength(1);
    });

    test("reports the status of the queue, and of each route", async () => {
      const { storage } = world();
      expect(await storage.emailQueue.status(NOW)).toEqual({
        due: 0,
        waiting: 0,
        leased: 0,
        oldestDueAt: undefined,
      });
      await insert(2, { dueAt: NOW - 7 });
      await insert(3, { dueAt: NOW + 7, route: "c:1:5" });
      const claimed = await claim({ limit: 1 });
      expect(await storage.emailQueue.status(NOW)).toEqual({
        due: 1,
        waiting: 3,
        leased: 1,
        oldestDueAt: NOW - 7,
      });
      await storage.emailQueue.park({ route: "c:1:5", owner: "server", until: NOW + 9, reason: "away" }, NOW);
      const own = workspaceRoute(world().workspaceId);
      const held = {
        route: "c:1:5",
        due: 0,
        waiting: 3,
        leased: 0,
        oldestDueAt: undefined,
        holds: [{ owner: "server", parkedAt: NOW, until: NOW + 9, reason: "away" }],
      };
      expect(await storage.emailQueue.routes(NOW, 9)).toEqual([
        held,
        { route: own, due: 1, waiting: 0, leased: 1, oldestDueAt: NOW - 7, holds: [] },
      ]);
      // However many others have e-mails that are due for longer.
      expect(await storage.emailQueue.routes(NOW, 1)).toEqual([held]);
      // Neither a pause of all, nor a hold that has ended, is a route of its own.
      await storage.emailQueue.park(
        { route: "*", owner: "operator", until: undefined, reason: "paused" },
        NOW,
      );
      await storage.emailQueue.park({ route: "w:99", owner: "server", until: NOW, reason: "away" }, NOW - 9);
      expect((await storage.emailQueue.routes(NOW, 9)).map(({ route }) => route)).toEqual(["c:1:5", own]);
      await storage.emailQueue.settle(
        claimed.map((one) => resultOf(one, "accepted", sent)),
        NOW,
      );
      expect((await storage.emailQueue.status(NOW)).leased).toBe(0);
    });

    test("one whose attempt was settled by a clock that was ahead is due again at once when that is set right", async () => {
      const { emailQueue } = world().storage;
      const ahead = NOW + 600_000;
      const [id = ""] = await insert(1, { dueAt: NOW - 3 });
      const claimed = the((await claim())[0]);
      await emailQueue.settle([resultOf(claimed, "deferred", { retryAt: ahead + 60_000 })], ahead);
      expect(await emailQueue.restoreDue(ahead)).toBe(0);
      expect(await emailQueue.restoreDue(NOW)).toBe(1);
      expect(ids(await claim())).toEqual([id]);
    });

    test("untried e-mails of a claim return to the queue as they were", async () => {
      const { emails, emailQueue } = world().storage;
      const [id = ""] = await insert(1, { dueAt: NOW - 3 });
      await claim();
      expect(await emailQueue.reclaim(await emailQueue.claims(), NOW, { areUntried: true })).toBe(1);
      expect(await emailQueue.claims()).toEqual([]);
      expect(await emails.attempts(id)).toEqual([]);
      expect(await claim()).toMatchObject([{ email: { id }, attempt: 1, dueAt: NOW - 3 }]);
    });

    test("no two claims get the same e-mail", async () => {
      await insert(100);
      const rounds = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 15 })));
      const all = [...rounds.flat(), ...(await claim())].map(({ email }) => email.id);
      expect(all).toHaveLength(100);
      expect(new Set(all).size).toBe(100);
    });
  });
  describeRoutes(open);
}

/** Routes, lanes and holds. */
function describeRoutes(open: () => Promise<Storage>): void {
  describe("routes", () => {
    const world = useSendingWorld(open);

    test("a claim takes e-mails of the wanted route and lane alone, each with its own content", async () => {
      const { storage } = world();
      const contentId = await storage.contents.put({ subject: "Other", html: "", text: "Other" });
      const wanted = newEmail(world(), { contentId, route: "w:1", lane: 1 });
      await storage.emails.insert([
        newEmail(world(), { route: "w:2", lane: 1 }),
        newEmail(world(), { route: "w:1", lane: 2 }),
        wanted,
      ]);
      const claimed = await storage.emailQueue.claim({
        wants: [{ route: "w:1", lane: 1, since: 0, limit: 9 }],
        ...{ now: NOW, leaseMs: 1_000, worker: "one", maxBytes: 1e6 },
      });
      expect(claimed.map(({ email }) => email.id)).toEqual([wanted.id]);
      expect(claimed[0]?.contentHash).toBe((await storage.contents.find(contentId))?.hash);
      const none = { wants: [{ route: "w:3", lane: 1 as const, since: 0, limit: 9 }] };
      const order = { ...none, now: NOW, leaseMs: 1_000, worker: "none", maxBytes: 1e6 };
      expect(await storage.emailQueue.claim(order)).toEqual([]);
      expect((await storage.emailQueue.claims()).map(({ worker }) => worker)).toEqual(["one"]);
    });

    test("a scan lists the lanes with something due, however much waits behind", async () => {
      const { storage, workspaceId } = world();
      const own = workspaceRoute(workspaceId);
      const emails = [
        newEmail(world(), { dueAt: NOW - 1 }),
        ...Array.from({ length: 50 }, () => newEmail(world(), { lane: 2, dueAt: NOW - 9 })),
        newEmail(world(), { route: "service", lane: 0, dueAt: NOW - 2 }),
        newEmail(world(), { route: "w:99", dueAt: NOW + 4 }),
      ];
      await storage.emails.insert(emails);
      expect(await storage.emailQueue.look(NOW, 9)).toEqual({
        due: [
          { route: own, lane: 2, dueAt: NOW - 9 },
          { route: "service", lane: 0, dueAt: NOW - 2 },
          { route: own, lane: 1, dueAt: NOW - 1 },
        ],
        nextAt: NOW + 4,
      });
      expect((await storage.emailQueue.look(NOW, 1)).due).toHaveLength(1);
    });

    test("a scan from given starts finds what is due from each on, and all routes between them", async () => {
      const { emails, emailQueue } = world().storage;
      const routes = ["w:1", "w:2", "w:3", "w:4"];
      await emails.insert(
        routes.flatMap((route) => [2, 1].map((ms) => newEmail(world(), { route, dueAt: NOW - ms }))),
      );
      const starts = [
        { route: "w:3", lane: 1 as const, since: NOW - 1 },
        { route: "w:1", lane: 1 as const, since: NOW - 2 },
        { route: "w:1", lane: 2 as const, since: NOW },
      ];
      const { due } = await emailQueue.look(NOW, 9, starts);
      expect(due.map(({ route, dueAt }) => [route, dueAt - NOW])).toEqual([
        ...["w:1", "w:2", "w:4"].map((route) => [route, -2]),
        ["w:3", -1],
      ]);
    });

    test("a scan of few parts lists none that is held instead of one that is due", async () => {
      const { emails, emailQueue } = world().storage;
      for (const [route, ms] of [
        ["w:1", 9],
        ["w:2", 1],
        ["w:3", 5],
      ] as const)
        await emails.insert([newEmail(world(), { route, dueAt: NOW - ms })]);
      await emailQueue.park({ route: "w:1", owner: "server", until: NOW + 50, reason: "away" }, NOW);
      const listed = async (limit: number) =>
        (await emailQueue.look(NOW, limit)).due.map(({ route }) => route);
      expect(await listed(1)).toEqual(["w:3"]);
      expect(await listed(2)).toEqual(["w:3", "w:2"]);
    });

    test("domains' waiting e-mails that name no server are taken along to another route", async () => {
      const { storage } = world();
      const from = (sender: string, over: object = {}) =>
        newEmail(world(), { from: sender, route: "w:1", ...over });
      await storage.emails.insert([
        from("a@x_y.example"),
        from('"a@x_y.example>" <a@X_Y.example>', { lane: 0, dueAt: NOW + 9 }),
        from("a@xzy.example"),
        from('"a@x_y.example" <a@b.example>'),
        from("a@sub.x_y.example"),
        from("a@x_y.example", { smtpServerId: nextId() }),
        from("a@x_y.example", { route: "w:2" }),
        from("a@other.example"),
      ]);
      const move = { domains: new Set(["x_y.example", "other.example"]), from: "w:1", to: "s:1:2-0" };
      // What is paused stays, though one of it was in hand.
      await storage.emailQueue.park(
        { route: "w:1", owner: "operator", until: undefined, reason: "paused" },
        NOW,
      );
      expect(await storage.emailQueue.takeAlong(move)).toBe(0);
      await storage.emailQueue.unpark("w:1", ["operator"]);
      // What a server holds does not.
      await storage.emailQueue.park({ route: "w:1", owner: "server", until: NOW + 9, reason: "away" }, NOW);
      expect(await storage.emailQueue.takeAlong(move)).toBe(3);
      await storage.emailQueue.unpark("w:1", ["server"]);
      expect(await storage.emailQueue.takeAlong(move)).toBe(0);
      expect(await storage.emailQueue.routes(NOW, 9)).toMatchObject([
        { route: "s:1:2-0", due: 2, waiting: 1 },
        { route: "w:1", due: 4, waiting: 0 },
        { route: "w:2", due: 1, waiting: 0 },
      ]);
    });

    test("one row holds all routes", async () => {
      const { storage } = world();
      await storage.emails.insert([newEmail(world()), newEmail(world(), { route: "w:2" })]);
      await storage.emailQueue.park({ route: "*", owner: "server", until: undefined, reason: "paused" }, NOW);
      expect(await storage.emailQueue.look(NOW, 9)).toEqual({ due: [], nextAt: undefined });
      await storage.emailQueue.unpark("*", ["server"]);
      expect((await storage.emailQueue.look(NOW, 9)).due).toHaveLength(2);
      await storage.emailQueue.park({ route: "*", owner: "server", until: NOW + 50, reason: "paused" }, NOW);
      expect(await storage.emailQueue.look(NOW + 49, 9)).toEqual({ due: [], nextAt: NOW + 50 });
      expect((await storage.emailQueue.look(NOW + 50, 9)).due).toHaveLength(2);
    });
  });
}
