import { describe, expect, test } from "vitest";
import type { AttemptResult, ClaimedEmail, Storage } from "../../ports/storage.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

const LEASE = 30_000;
const ids = (claimed: ClaimedEmail[]) => claimed.map(({ email }) => email.id);

function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is none");
  return value;
}

/** An attempt that ended in one state for all recipients. */
function result(
  { email, recipients, fence, attempt }: ClaimedEmail,
  state: "accepted" | "deferred" | "failed",
  next: AttemptResult["next"],
  endedAt = NOW + 5,
): AttemptResult {
  const settledAt = state === "deferred" ? undefined : endedAt;
  return {
    emailId: email.id,
    fence,
    attempt: {
      number: attempt,
      startedAt: NOW,
      endedAt,
      worker: "w",
      outcome: state === "accepted" ? "sent" : state,
      inDoubt: false,
      reply: "reply",
    },
    recipients: recipients.map(({ kind, address }) => ({
      kind,
      address,
      state,
      lastCode: 250,
      lastReply: "reply",
      settledAt,
    })),
    next,
  };
}

/** The contract of the e-mail queue: leases, fences, attempts. */
export function describeEmailQueue(open: () => Promise<Storage>): void {
  describe("e-mail queue", () => {
    const world = useSendingWorld(open);
    const sent = { status: "sent" as const, sentAt: NOW + 5 };

    function claim(over: { limit?: number; now?: number; worker?: string; exclude?: string[] } = {}) {
      const { emails } = world().storage;
      return emails.claimDue({ limit: 100, now: NOW, leaseMs: LEASE, worker: "w", exclude: [], ...over });
    }
    async function insert(count: number, over: Parameters<typeof newEmail>[1] = {}): Promise<string[]> {
      const emails = Array.from({ length: count }, () => newEmail(world(), over));
      await world().storage.emails.insert(emails);
      return emails.map(({ id }) => id);
    }

    test("leases what is due, oldest due first", async () => {
      const { emails } = world().storage;
      const third = await insert(1, { dueAt: NOW });
      const first = await insert(1, { dueAt: NOW - 2 });
      const second = await insert(1, { dueAt: NOW - 1 });
      const later = await insert(1, { dueAt: NOW + 1 });
      expect(await emails.nextDueAt()).toBe(NOW - 2);
      expect(ids(await claim({ limit: 2 }))).toEqual([...first, ...second]);
      const claimed = await claim();
      expect(ids(claimed)).toEqual(third);
      expect(claimed[0]).toMatchObject({ attempt: 1, email: { status: "sending", subject: "Hello" } });
      expect(claimed[0]?.recipients.map(({ address }) => address)).toEqual(["ada@example.com"]);
      expect(await claim()).toEqual([]);
      expect(await emails.nextDueAt()).toBe(NOW + 1);
      expect(await emails.queueStatus(NOW)).toEqual({
        due: 0,
        waiting: 1,
        leased: 3,
        oldestDueAt: undefined,
      });
      expect(ids(await claim({ now: NOW + 1 }))).toEqual(later);
      expect(await emails.nextDueAt()).toBe(NOW + LEASE);
    });

    test("tells how the queue stands", async () => {
      const { emails } = world().storage;
      expect(await emails.queueStatus(NOW)).toEqual({
        due: 0,
        waiting: 0,
        leased: 0,
        oldestDueAt: undefined,
      });
      expect(await emails.nextDueAt()).toBeUndefined();
      await insert(2, { dueAt: NOW - 7 });
      await insert(3, { dueAt: NOW + 7 });
      await claim({ limit: 1 });
      expect(await emails.queueStatus(NOW)).toEqual({ due: 1, waiting: 3, leased: 1, oldestDueAt: NOW - 7 });
      const lapsed = await emails.queueStatus(NOW + LEASE);
      expect([lapsed.due, lapsed.waiting, lapsed.leased]).toEqual([5, 0, 0]);
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
      const settled = result(claimed, "accepted", sent);
      expect(await storage.emails.settle([settled])).toEqual([id]);
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
      expect(await storage.emails.nextDueAt()).toBeUndefined();
      expect(await storage.emails.settle([settled])).toEqual([]);
      expect(await claim({ now: NOW + 10 * LEASE })).toEqual([]);
    });

    test("a deferred e-mail is due again at its time; only named recipients count an attempt", async () => {
      const { emails } = world().storage;
      const [id = ""] = await insert(1, {
        recipients: [
          { kind: "to", name: "", address: "a@example.com" },
          { kind: "to", name: "", address: "b@example.com" },
        ],
      });
      const first = the((await claim())[0]);
      const deferred = result(first, "deferred", { retryAt: NOW + 60_000 });
      const [a, b] = deferred.recipients;
      expect(
        await emails.settle([
          { ...deferred, recipients: [{ ...the(a), state: "accepted", settledAt: NOW + 5 }, the(b)] },
        ]),
      ).toEqual([id]);
      expect(await claim({ now: NOW + 59_999 })).toEqual([]);
      expect((await emails.find(undefined, id, NOW))?.status).toBe("queued");
      const second = the((await claim({ now: NOW + 60_000 }))[0]);
      expect(second.attempt).toBe(2);
      expect(second.fence).toBeGreaterThan(first.fence);
      const named = result(second, "failed", { status: "partially_sent", sentAt: NOW + 5 }).recipients.filter(
        ({ address }) => address === "b@example.com",
      );
      await emails.settle([
        { ...result(second, "failed", { status: "partially_sent", sentAt: NOW + 5 }), recipients: named },
      ]);
      const recipients = await emails.recipients(id);
      expect(recipients.map(({ state, attempts }) => [state, attempts])).toEqual([
        ["accepted", 1],
        ["failed", 2],
      ]);
      expect((await emails.attempts(id)).map(({ number }) => number)).toEqual([1, 2]);
    });

    test("a lapsed lease is due again, its attempt interrupted, its holder powerless", async () => {
      const { emails } = world().storage;
      const [id = ""] = await insert(1);
      const stale = the((await claim({ worker: "dead" }))[0]);
      const fresh = the((await claim({ now: NOW + LEASE }))[0]);
      expect([fresh.email.id, fresh.attempt]).toEqual([id, 2]);
      expect(await emails.attempts(id)).toMatchObject([
        { number: 1, startedAt: NOW, endedAt: undefined, worker: "dead", outcome: "interrupted" },
      ]);
      const lease = { emailId: id, fence: stale.fence };
      expect(await emails.settle([result(stale, "failed", { status: "failed", sentAt: undefined })])).toEqual(
        [],
      );
      expect(await emails.renewLeases([lease], NOW + 9 * LEASE)).toEqual([]);
      await emails.release([lease]);
      expect(await claim({ now: NOW + LEASE })).toEqual([]);
      expect((await emails.recipients(id))[0]).toMatchObject({ state: "pending", attempts: 0 });
      expect(await emails.settle([result(fresh, "accepted", sent)])).toEqual([id]);
      expect((await emails.attempts(id)).map(({ outcome }) => outcome)).toEqual(["interrupted", "sent"]);
    });

    test("one call settles what fits and leaves what doesn't", async () => {
      const { emails } = world().storage;
      await insert(6);
      const stale = await claim({ limit: 3 });
      const fresh = await claim({ now: NOW + LEASE });
      const unknown = { ...the(fresh[0]), email: { ...the(fresh[0]).email, id: nextId() } };
      const settled = await emails.settle([
        ...stale.map((claimed) => result(claimed, "accepted", sent)),
        ...fresh.slice(0, 2).map((claimed) => result(claimed, "accepted", sent)),
        ...fresh.slice(2, 4).map((claimed) => result(claimed, "deferred", { retryAt: NOW })),
        result(unknown, "accepted", sent),
      ]);
      expect(settled.sort()).toEqual(ids(fresh).slice(0, 4).sort());
      expect(await emails.settle([])).toEqual([]);
      expect((await emails.queueStatus(NOW + LEASE)).leased).toBe(2);
      expect((await emails.queueStatus(NOW + LEASE)).due).toBe(2);
    });

    test("a lease that is renewed does not lapse", async () => {
      const { emails } = world().storage;
      const [id = ""] = await insert(1);
      const { fence } = the((await claim())[0]);
      expect(await emails.renewLeases([{ emailId: id, fence }], NOW + 3 * LEASE)).toEqual([id]);
      expect(await claim({ now: NOW + 3 * LEASE - 1 })).toEqual([]);
      expect(ids(await claim({ now: NOW + 3 * LEASE }))).toEqual([id]);
      expect(await emails.renewLeases([], NOW)).toEqual([]);
    });

    test("a lease given back costs no attempt", async () => {
      const { emails } = world().storage;
      const [id = ""] = await insert(1);
      const first = the((await claim())[0]);
      await emails.release([{ emailId: id, fence: first.fence }]);
      const again = the((await claim())[0]);
      expect([again.email.id, again.attempt]).toEqual([id, 1]);
      expect(again.fence).toBeGreaterThan(first.fence);
      expect(await emails.attempts(id)).toEqual([]);
      await emails.release([]);
    });

    test("what this worker has in hand is not claimed again, though its lease lapsed", async () => {
      const [first = "", second = ""] = await insert(2);
      await claim();
      expect(ids(await claim({ now: NOW + LEASE, exclude: [first] }))).toEqual([second]);
      expect(ids(await claim({ now: NOW + LEASE, limit: 1, exclude: [nextId(), second] }))).toEqual([first]);
    });

    test("sealed data is forgotten when the e-mail is settled, not before", async () => {
      const { emails } = world().storage;
      const { payload } = newEmail(world());
      const [sealed = ""] = await insert(1, { payload: { ...payload, data: "sealed text" } });
      const [open = ""] = await insert(1);
      const retry = (await claim()).map((claimed) => result(claimed, "deferred", { retryAt: NOW }));
      await emails.settle(retry);
      const data = async (id: string) => (await emails.find(undefined, id, NOW))?.payload.data;
      expect(await data(sealed)).toBe("sealed text");
      await emails.settle((await claim()).map((claimed) => result(claimed, "accepted", sent)));
      expect(await data(sealed)).toEqual({});
      expect(await data(open)).toEqual({ name: "Ada" });
    });
  });
  describeEmailControl(open);
}

/** Cancelling and retrying by people. */
function describeEmailControl(open: () => Promise<Storage>): void {
  describe("e-mail control", () => {
    const world = useSendingWorld(open);
    const claimAll = (now = NOW) =>
      world().storage.emails.claimDue({ limit: 9, now, leaseMs: LEASE, worker: "w", exclude: [] });

    test("an e-mail that no worker has can be cancelled, once", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const { payload } = newEmail(world());
      const email = newEmail(world(), { payload: { ...payload, data: "sealed" } });
      await storage.emails.insert([email]);
      expect(await storage.emails.cancel(other, email.id, NOW)).toBe(false);
      const cancelled = await Promise.all(
        [1, 2, 3].map(() => storage.emails.cancel(workspaceId, email.id, NOW + 1)),
      );
      expect(cancelled.filter(Boolean)).toHaveLength(1);
      expect(await storage.emails.find(workspaceId, email.id, NOW)).toMatchObject({
        status: "cancelled",
        payload: { data: {} },
      });
      expect(await storage.emails.recipients(email.id)).toMatchObject([
        { state: "cancelled", settledAt: NOW + 1 },
      ]);
      expect(await claimAll()).toEqual([]);
    });

    test("one that a worker has can't", async () => {
      const { emails } = world().storage;
      const email = newEmail(world());
      await emails.insert([email]);
      await claimAll();
      expect(await emails.cancel(undefined, email.id, NOW)).toBe(false);
      expect(await emails.cancel(undefined, email.id, NOW + LEASE)).toBe(true);
      expect(await emails.cancel(undefined, nextId(), NOW)).toBe(false);
    });

    test("a failed e-mail's recipients go back into the queue, the accepted ones do not", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const email = newEmail(world(), {
        recipients: ["a", "b"].map((name) => ({ kind: "to", name, address: `${name}@example.com` })),
      });
      await storage.emails.insert([email]);
      const retry = (workspace: number | undefined) => storage.emails.retry(workspace, email.id, NOW + 9);
      expect(await retry(workspaceId)).toBe(false);
      const claimed = the((await claimAll())[0]);
      const failed = result(claimed, "failed", { status: "partially_sent", sentAt: NOW + 5 });
      const [a, b] = failed.recipients;
      await storage.emails.settle([{ ...failed, recipients: [{ ...the(a), state: "accepted" }, the(b)] }]);
      expect(await retry(other)).toBe(false);
      expect(await retry(workspaceId)).toBe(true);
      expect(await retry(workspaceId)).toBe(false);
      expect((await storage.emails.recipients(email.id)).map(({ state }) => state)).toEqual([
        "accepted",
        "pending",
      ]);
      expect((await storage.emails.find(workspaceId, email.id, NOW))?.status).toBe("queued");
      const again = the((await claimAll(NOW + 9))[0]);
      expect(again.attempt).toBe(2);
      expect(again.fence).toBeGreaterThan(claimed.fence);
      expect(await storage.emails.settle([failed])).toEqual([]);
    });
  });
}
