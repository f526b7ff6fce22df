import { describe, expect, test } from "vitest";
import { workspaceRoute } from "../../mail/rules/routes.ts";
import type { AttemptResult, ClaimedEmail, Storage } from "../../ports/storage.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

const LEASE = 30_000;
const ids = (claimed: ClaimedEmail[]) => claimed.map(({ email }) => email.id);
const leases = (claimed: ClaimedEmail[]) => claimed.map(({ lease }) => lease);

function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is none");
  return value;
}

interface ClaimOptions {
  limit?: number;
  now?: number;
  worker?: string;
  maxBytes?: number;
}

/** Claims what is due of every part of the queue, up to `limit` of each. */
export async function claimAll(
  { emailQueue }: Storage,
  { limit = 100, now = NOW, worker = "w", maxBytes = 1e9 }: ClaimOptions = {},
): Promise<ClaimedEmail[]> {
  const { due } = await emailQueue.look(now, 100);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit }));
  return emailQueue.claim({ wants, now, leaseMs: LEASE, worker, maxBytes });
}

/** An attempt that ended in one state for all recipients. */
export function resultOf(
  { email, recipients, lease, attempt }: ClaimedEmail,
  state: "accepted" | "deferred" | "failed",
  next: AttemptResult["next"],
  { endedAt = NOW + 5, isSealed = false } = {},
): AttemptResult {
  const settledAt = state === "deferred" ? undefined : endedAt;
  return {
    lease,
    emailId: email.id,
    workspaceId: email.workspaceId,
    isSealed,
    attempt: {
      number: attempt,
      startedAt: NOW,
      endedAt,
      worker: "w",
      outcome: state === "accepted" ? "sent" : state,
      inDoubt: false,
      reply: "reply",
      smtpServerId: undefined,
    },
    recipients: recipients.map(({ kind, address }) => ({
      kind,
      address,
      state,
      lastCode: 250,
      lastReply: "reply",
      remoteId: undefined,
      settledAt,
    })),
    next,
  };
}

const sent = { status: "sent" as const, settledAt: NOW + 5 };

/** The contract of the e-mail queue: claims, what comes of them, and what dead workers leave behind. */
export function describeEmailQueue(open: () => Promise<Storage>): void {
  describe("e-mail queue", () => {
    const world = useSendingWorld(open);
    const claim = (options: ClaimOptions = {}) => claimAll(world().storage, options);
    const nextAt = async (now = NOW) => (await world().storage.emailQueue.look(now, 9)).nextAt;
    async function insert(count: number, over: Parameters<typeof newEmail>[1] = {}): Promise<string[]> {
      const emails = Array.from({ length: count }, () => newEmail(world(), over));
      await world().storage.emails.insert(emails);
      return emails.map(({ id }) => id);
    }

    test("claims what is due, oldest due first", async () => {
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

    test("passes over what lies before the place it is told to begin at", async () => {
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

    test("looks from where it is told in routes it knows, and finds those between them all the same", async () => {
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

    test("takes no more bytes at once than it may, but always one", async () => {
      const payload = { ...newEmail(world()).payload, data: { text: "x".repeat(10_000) } };
      await insert(3, { payload });
      expect(await claim({ maxBytes: 5 })).toHaveLength(1);
      expect(await claim({ maxBytes: 25_000 })).toHaveLength(2);
    });

    test("tells how the queue stands, and that of each route", async () => {
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
      await storage.emailQueue.park({ route: "c:1:5", until: NOW + 9, reason: "away" }, NOW);
      const own = workspaceRoute(world().workspaceId);
      expect(await storage.emailQueue.routes(NOW, 9)).toEqual([
        { route: own, due: 1, waiting: 0, leased: 1, oldestDueAt: NOW - 7, parked: undefined },
        {
          route: "c:1:5",
          due: 0,
          waiting: 3,
          leased: 0,
          oldestDueAt: undefined,
          parked: { parkedAt: NOW, until: NOW + 9, reason: "away" },
        },
      ]);
      await storage.emailQueue.settle(
        claimed.map((one) => resultOf(one, "accepted", sent)),
        NOW,
      );
      expect((await storage.emailQueue.status(NOW)).leased).toBe(0);
    });

    test("no two claims get the same e-mail", async () => {
      await insert(100);
      const rounds = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 15 })));
      const all = [...rounds.flat(), ...(await claim())].map(({ email }) => email.id);
      expect(all).toHaveLength(100);
      expect(new Set(all).size).toBe(100);
    });

    test("settled e-mails leave the queue with their attempt and recipients", async () => {
      const { storage, workspaceId } = world();
      const [id = ""] = await insert(1, {
        recipients: [
          { kind: "to", name: "", address: "a@example.com" },
          { kind: "cc", name: "", address: "a@example.com" },
        ],
      });
      const claimed = the((await claim())[0]);
      const settled = resultOf(claimed, "accepted", sent);
      expect(await storage.emailQueue.settle([settled], NOW)).toEqual([id]);
      expect(await storage.emails.find(workspaceId, id, NOW)).toMatchObject({
        status: "sent",
        sentAt: NOW + 5,
      });
      expect(await storage.emails.attempts(id)).toEqual([settled.attempt]);
      const recipient = {
        state: "accepted",
        attempts: 1,
        lastCode: 250,
        lastReply: "reply",
        settledAt: NOW + 5,
      };
      expect(await storage.emails.recipients(id)).toEqual([
        { kind: "to", name: "", address: "a@example.com", ...recipient },
        { kind: "cc", name: "", address: "a@example.com", ...recipient },
      ]);
      expect(await storage.emailQueue.claims()).toEqual([]);
      expect(await storage.emailQueue.settle([settled], NOW)).toEqual([]);
      expect(await storage.emailQueue.settle([], NOW)).toEqual([]);
      expect(await claim({ now: NOW + 10 * LEASE })).toEqual([]);
    });

    test("a deferred e-mail is due again at its time; only named recipients count an attempt", async () => {
      const { emails, emailQueue } = world().storage;
      const [id = ""] = await insert(1, {
        recipients: [
          { kind: "to", name: "", address: "a@example.com" },
          { kind: "to", name: "", address: "b@example.com" },
        ],
      });
      const first = the((await claim())[0]);
      const deferred = resultOf(first, "deferred", { retryAt: NOW + 60_000 });
      const [a, b] = deferred.recipients;
      const recipients = [
        { ...the(a), state: "accepted" as const, settledAt: NOW + 5 },
        { ...the(b), domainMissingSince: NOW },
      ];
      expect(await emailQueue.settle([{ ...deferred, recipients }], NOW)).toEqual([id]);
      expect(await claim({ now: NOW + 59_999 })).toEqual([]);
      expect((await emails.find("all", id, NOW))?.status).toBe("queued");
      const second = the((await claim({ now: NOW + 60_000 }))[0]);
      expect(second.attempt).toBe(2);
      const missing = second.recipients.map(({ domainMissingSince }) => domainMissingSince);
      expect(missing).toEqual([undefined, NOW]);
      const failed = resultOf(second, "failed", { status: "partially_sent", settledAt: NOW + 5 });
      const named = failed.recipients.filter(({ address }) => address === "b@example.com");
      await emailQueue.settle([{ ...failed, recipients: named }], NOW);
      expect((await emails.recipients(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
        ["accepted", 1],
        ["failed", 2],
      ]);
      expect((await emails.attempts(id)).map(({ number }) => number)).toEqual([1, 2]);
    });

    test("an abandoned claim's e-mails go back, their attempt interrupted, its holder powerless", async () => {
      const { emails, emailQueue } = world().storage;
      const [id = "", other = ""] = await insert(2);
      const stale = await claim({ worker: "dead" });
      const claims = await emailQueue.claims();
      expect(claims).toMatchObject([{ worker: "dead", until: NOW + LEASE, leaseMs: LEASE }]);
      expect(await emailQueue.reclaim(claims, NOW + LEASE)).toBe(2);
      expect(await emailQueue.reclaim(claims, NOW + LEASE)).toBe(0);
      const fresh = await claim({ now: NOW + LEASE });
      expect(ids(fresh)).toEqual([id, other]);
      expect(fresh.map(({ attempt }) => attempt)).toEqual([2, 2]);
      expect(await emails.attempts(id)).toMatchObject([
        {
          number: 1,
          startedAt: NOW,
          endedAt: undefined,
          worker: "dead",
          outcome: "interrupted",
          inDoubt: true,
        },
      ]);
      const late = stale.map((one) =>
        resultOf(one, "failed", { status: "failed", settledAt: NOW + LEASE + 5 }),
      );
      expect(await emailQueue.settle(late, NOW)).toEqual([]);
      expect(await emailQueue.renew([the(stale[0]).lease.claimId], NOW, NOW + 9 * LEASE)).toEqual([]);
      await emailQueue.release(leases(stale));
      expect(await claim({ now: NOW + LEASE })).toEqual([]);
      expect((await emails.recipients(id))[0]).toMatchObject({ state: "pending", attempts: 0 });
      expect(await emailQueue.settle([resultOf(the(fresh[0]), "accepted", sent)], NOW)).toEqual([id]);
      expect((await emails.attempts(id)).map(({ outcome }) => outcome)).toEqual(["interrupted", "sent"]);
    });

    test("a claim that was renewed since it was looked at is left alone", async () => {
      const { emailQueue } = world().storage;
      const [id = ""] = await insert(1);
      const { lease } = the((await claim())[0]);
      const before = await emailQueue.claims();
      expect(await emailQueue.renew([lease.claimId], NOW + 1, NOW + 1 + LEASE)).toEqual([lease.claimId]);
      expect(await emailQueue.claims()).toMatchObject([{ until: NOW + 1 + LEASE, leaseMs: LEASE }]);
      expect(await emailQueue.reclaim(before, NOW + 9 * LEASE)).toBe(0);
      expect(await emailQueue.renew([], NOW, NOW)).toEqual([]);
      expect(await emailQueue.reclaim(await emailQueue.claims(), NOW)).toBe(1);
      expect(ids(await claim())).toEqual([id]);
    });

    test("one call settles what fits and leaves what doesn't", async () => {
      const { emailQueue } = world().storage;
      await insert(6);
      const stale = await claim({ limit: 3 });
      await emailQueue.reclaim(await emailQueue.claims(), NOW);
      const fresh = await claim();
      const unknown = { ...the(fresh[0]), lease: { claimId: the(fresh[0]).lease.claimId, row: 99_999 } };
      const settled = await emailQueue.settle(
        [
          ...stale.map((claimed) => resultOf(claimed, "accepted", sent)),
          ...fresh.slice(0, 2).map((claimed) => resultOf(claimed, "accepted", sent)),
          ...fresh.slice(2, 4).map((claimed) => resultOf(claimed, "deferred", { retryAt: NOW })),
          resultOf(unknown, "accepted", sent),
        ],
        NOW,
      );
      expect(settled.sort()).toEqual(ids(fresh).slice(0, 4).sort());
      expect(await emailQueue.status(NOW)).toMatchObject({ leased: 2, due: 2 });
    });

    test("what is given back costs no attempt, and waits where it was", async () => {
      const { emails, emailQueue } = world().storage;
      const [id = ""] = await insert(1, { dueAt: NOW - 3 });
      await insert(1);
      const first = await claim();
      await emailQueue.release(leases(first));
      expect(await emailQueue.claims()).toEqual([]);
      const again = await claim();
      expect(again[0]).toMatchObject({ email: { id }, attempt: 1, dueAt: NOW - 3 });
      expect(the(again[0]).lease.claimId).toBeGreaterThan(the(first[0]).lease.claimId);
      expect(await emails.attempts(id)).toEqual([]);
      await emailQueue.release([]);
    });

    test("payloads are read apart, and forgotten when settled where they are sealed, not before", async () => {
      const { emailQueue } = world().storage;
      const { payload } = newEmail(world());
      const secret = { ...payload, data: "sealed text" };
      await insert(1, { payload: secret });
      await insert(1);
      const isSealed = true;
      const retry = (await claim()).map((one) => resultOf(one, "deferred", { retryAt: NOW }, { isSealed }));
      await emailQueue.settle(retry, NOW);
      const claimed = await claim();
      expect(await emailQueue.payloads(leases(claimed))).toEqual([secret, payload]);
      expect(await emailQueue.payloads([])).toEqual([]);
      await emailQueue.settle(
        claimed.map((one) => resultOf(one, "accepted", sent, { isSealed })),
        NOW,
      );
      expect(await emailQueue.payloads(leases(claimed))).toEqual([undefined, payload]);
    });

    test("what a clock that was ahead put off is due again; what is scheduled keeps its time", async () => {
      const { emailQueue } = world().storage;
      const ahead = NOW + 600_000;
      const [early = ""] = await insert(1, { createdAt: ahead, dueAt: ahead });
      const at = ahead + 50_000;
      await insert(1, { createdAt: ahead, scheduledAt: at, dueAt: at });
      await insert(1, { scheduledAt: NOW + 9, dueAt: NOW + 9 });
      expect(await claim()).toEqual([]);
      // By the pace of a campaign.
      const [paced = ""] = await insert(1, { createdAt: ahead, dueAt: ahead + 5 });
      expect(await emailQueue.restoreDue(NOW)).toBe(2);
      expect(ids(await claim())).toEqual([early]);
      expect(ids(await claim({ now: NOW + 5 }))).toEqual([paced]);
      expect(await nextAt()).toBe(NOW + 9);
      expect(ids(await claim({ now: at }))).toHaveLength(2);
    });
  });
  describeRoutes(open);
  describeEmailControl(open);
}

/** Routes, lanes and holds. */
function describeRoutes(open: () => Promise<Storage>): void {
  describe("routes", () => {
    const world = useSendingWorld(open);

    test("a look tells the parts with something due, whatever waits behind", async () => {
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

    test("a parked route waits until its time or until it is freed, the others go on", async () => {
      const { storage } = world();
      const { emailQueue } = storage;
      await storage.emails.insert([newEmail(world(), { route: "w:1" }), newEmail(world(), { route: "w:2" })]);
      await emailQueue.park({ route: "w:1", until: NOW + 50, reason: "first" }, NOW);
      await emailQueue.park({ route: "w:1", until: NOW + 20, reason: "shorter" }, NOW + 1);
      const routes = async (now: number) =>
        (await emailQueue.look(now, 9)).due.map(({ route }) => route).sort();
      expect(await routes(NOW)).toEqual(["w:2"]);
      expect((await emailQueue.look(NOW, 9)).nextAt).toBe(NOW + 50);
      expect(await emailQueue.parked(NOW)).toEqual([
        { route: "w:1", parkedAt: NOW, until: NOW + 50, reason: "first" },
      ]);
      await emailQueue.park({ route: "w:1", until: NOW + 60, reason: "longer" }, NOW + 2);
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
      await emailQueue.endHold("w:1", NOW + 60);
      expect(await trials()).toEqual([]);
      await emailQueue.park({ route: "w:2", until: undefined, reason: "for good" }, NOW);
      await emailQueue.park({ route: "w:2", until: NOW + 99_999, reason: "not for good" }, NOW);
      expect(await routes(NOW + 1e9)).toEqual(["w:1"]);
      expect(await emailQueue.unpark("w:2")).toBe(true);
      expect(await emailQueue.unpark("w:2")).toBe(false);
      expect(await routes(NOW + 60)).toEqual(["w:1", "w:2"]);
    });

    test("all routes are held by one row", async () => {
      const { storage } = world();
      await storage.emails.insert([newEmail(world()), newEmail(world(), { route: "w:2" })]);
      await storage.emailQueue.park({ route: "*", until: undefined, reason: "paused" }, NOW);
      expect(await storage.emailQueue.look(NOW, 9)).toEqual({ due: [], nextAt: undefined });
      await storage.emailQueue.unpark("*");
      expect((await storage.emailQueue.look(NOW, 9)).due).toHaveLength(2);
    });
  });
}

/** Cancelling and retrying by people. */
function describeEmailControl(open: () => Promise<Storage>): void {
  describe("e-mail control", () => {
    const world = useSendingWorld(open);
    const claim = (now = NOW) => claimAll(world().storage, { now });

    test("an e-mail that no worker has can be cancelled, once", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const email = newEmail(world());
      await storage.emails.insert([email]);
      expect(await storage.emails.cancel(other, email.id, NOW)).toBe("not_waiting");
      const cancelled = await Promise.all(
        [1, 2, 3].map(() => storage.emails.cancel(workspaceId, email.id, NOW + 1)),
      );
      expect(cancelled.filter((one) => one === "cancelled")).toHaveLength(1);
      expect(await storage.emails.find(workspaceId, email.id, NOW)).toMatchObject({
        status: "cancelled",
        sentAt: undefined,
      });
      expect(await storage.emails.recipients(email.id)).toMatchObject([
        { state: "cancelled", settledAt: NOW + 1 },
      ]);
      expect(await claim()).toEqual([]);
    });

    test("one that a worker has can't, whatever the clock says, until it is given back", async () => {
      const { emails, emailQueue } = world().storage;
      const email = newEmail(world());
      await emails.insert([email]);
      const claimed = await claim();
      expect(await emails.cancel("all", email.id, NOW)).toBe("not_waiting");
      expect(await emails.cancel("all", email.id, NOW + 20 * LEASE)).toBe("not_waiting");
      await emailQueue.release(leases(claimed));
      expect(await emails.cancel("all", email.id, NOW)).toBe("cancelled");
      expect(await emails.cancel("all", nextId(), NOW)).toBe("not_waiting");
    });

    test("a failed e-mail's recipients go back into the queue, the accepted ones do not", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const email = newEmail(world(), {
        lane: 2,
        recipients: ["a", "b"].map((name) => ({ kind: "to", name, address: `${name}@example.com` })),
      });
      await storage.emails.insert([email]);
      const retry = (workspace: number | "all") => storage.emails.retry(workspace, email.id, NOW + 9);
      expect(await retry(workspaceId)).toBe(false);
      const claimed = the((await claim())[0]);
      const failed = resultOf(claimed, "failed", { status: "partially_sent", settledAt: NOW + 5 });
      const [a, b] = failed.recipients;
      const recipients = [{ ...the(a), state: "accepted" as const }, the(b)];
      await storage.emailQueue.settle([{ ...failed, recipients }], NOW);
      expect(await retry(other)).toBe(false);
      expect(await retry(workspaceId)).toBe(true);
      expect(await retry(workspaceId)).toBe(false);
      expect((await storage.emails.recipients(email.id)).map(({ state }) => state)).toEqual([
        "accepted",
        "pending",
      ]);
      expect((await storage.emails.find(workspaceId, email.id, NOW))?.status).toBe("queued");
      const again = the((await claim(NOW + 9))[0]);
      expect([again.attempt, again.lane]).toEqual([2, 2]);
      expect(await storage.emailQueue.settle([failed], NOW)).toEqual([]);
    });
  });
}
