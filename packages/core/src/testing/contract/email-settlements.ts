import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { ids, LEASE, leases, resultOf, sent, the, useQueue } from "./claims.ts";
import { NOW, newEmail } from "./sending-world.ts";

/** The contract of claimed e-mails: settled, postponed, released, or abandoned by workers that died. */
export function describeEmailSettlements(open: () => Promise<Storage>): void {
  describe("results of claims", () => {
    const { world, claim, nextAt, insert } = useQueue(open);

    test("settled e-mails leave the queue with their attempt and recipients", async () => {
      const { storage, workspaceId } = world();
      const [id = ""] = await insert(1, {
        recipients: [
          { kind: "to", name: "", address: "a@example.com" },
          { kind: "cc", name: "", address: "a@example.com" },
        ],
      });
      const claimed = the((await claim())[0]);
      const result = resultOf(claimed, "accepted", sent);
      const [to, cc] = result.recipients;
      const settled = { ...result, recipients: [the(to), { ...the(cc), lastReply: "another" }] };
      expect(await storage.emailQueue.settle([settled], NOW)).toEqual([settled]);
      expect(await storage.emails.find(workspaceId, id, NOW)).toMatchObject({
        status: "sent",
        sentAt: NOW + 5,
      });
      expect(await storage.emails.attempts(id)).toEqual([settled.attempt]);
      const recipient = {
        state: "accepted",
        attempts: 1,
        code: 250,
        lastReply: "reply",
        settledAt: NOW + 5,
      };
      expect(await storage.emails.recipients(id)).toEqual([
        { kind: "to", name: "", address: "a@example.com", ...recipient },
        { kind: "cc", name: "", address: "a@example.com", ...recipient, lastReply: "another" },
      ]);
      expect(await storage.emailQueue.claims()).toEqual([]);
      expect(await storage.emailQueue.settle([settled], NOW)).toEqual([]);
      expect(await storage.emailQueue.settle([], NOW)).toEqual([]);
      expect(await claim({ now: NOW + 10 * LEASE })).toEqual([]);
    });

    test("a deferred e-mail is due again at its time; only the given recipients count an attempt", async () => {
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
      const attempted = { ...deferred, recipients };
      expect(await emailQueue.settle([attempted], NOW)).toEqual([attempted]);
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

    test("an abandoned claim leaves those of other workers what they hold", async () => {
      const { emails, emailQueue } = world().storage;
      const inserted = await insert(2);
      const lost = the((await claim({ worker: "dead", limit: 1 }))[0]);
      const held = the((await claim({ worker: "alive", limit: 1 }))[0]);
      expect(ids([lost, held]).sort()).toEqual(inserted.toSorted());
      const claims = await emailQueue.claims();
      expect(claims.map(({ until }) => until)).toEqual([NOW + LEASE, NOW + LEASE]);
      expect(
        await emailQueue.reclaim(
          claims.filter(({ worker }) => worker === "dead"),
          NOW,
        ),
      ).toBe(1);
      expect((await emailQueue.claims()).map(({ worker }) => worker)).toEqual(["alive"]);
      expect(await emails.attempts(held.email.id)).toEqual([]);
      expect(ids(await claim({ worker: "next" }))).toEqual([lost.email.id]);
      expect(await emailQueue.settle([resultOf(held, "accepted", sent)], NOW)).toHaveLength(1);
      expect((await emailQueue.claims()).map(({ worker }) => worker)).toEqual(["next"]);
    });

    test("an abandoned claim's e-mails return to the queue, their attempt interrupted, and its holder can settle nothing", async () => {
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
      expect(fresh.map(({ dueAt }) => dueAt)).toEqual(stale.map(({ dueAt }) => dueAt));
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
      const again = resultOf(the(fresh[0]), "accepted", sent);
      expect(await emailQueue.settle([...late, again], NOW)).toEqual([again]);
      expect((await emails.attempts(id)).map(({ outcome }) => outcome)).toEqual(["interrupted", "sent"]);
    });

    test("an abandoned claim's e-mails are due at once, even if the clock has stepped back since", async () => {
      const { emailQueue } = world().storage;
      const [id = ""] = await insert(1);
      await claim();
      const earlier = NOW - 3_600_000;
      expect(await emailQueue.reclaim(await emailQueue.claims(), earlier)).toBe(1);
      expect(ids(await claim({ now: earlier }))).toEqual([id]);
    });

    test("a claim renewed since it was read is not reclaimed", async () => {
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

    test("one call settles valid claims and skips the others", async () => {
      const { emailQueue } = world().storage;
      await insert(6);
      const stale = await claim({ limit: 3 });
      await emailQueue.reclaim(await emailQueue.claims(), NOW);
      const fresh = await claim();
      const unknown = { ...the(fresh[0]), lease: { claimId: the(fresh[0]).lease.claimId, row: 99_999 } };
      const valid = [
        ...fresh.slice(0, 2).map((claimed) => resultOf(claimed, "accepted", sent)),
        ...fresh.slice(2, 4).map((claimed) => resultOf(claimed, "deferred", { retryAt: NOW })),
      ];
      const settled = await emailQueue.settle(
        [
          ...stale.map((claimed) => resultOf(claimed, "accepted", sent)),
          ...valid,
          resultOf(unknown, "accepted", sent),
        ],
        NOW,
      );
      expect(new Set(settled)).toEqual(new Set(valid));
      expect(await emailQueue.status(NOW)).toMatchObject({ leased: 2, due: 2 });
    });

    test("a released e-mail costs no attempt, and keeps its position", async () => {
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

    test("one released for a later time is due then, unless it was due even later", async () => {
      const { emails, emailQueue } = world().storage;
      const [id = ""] = await insert(1, { dueAt: NOW - 3 });
      const [later = ""] = await insert(1, { dueAt: NOW + 9 });
      await emailQueue.release(leases(await claim({ now: NOW + 9 })), { notBefore: NOW + 5 });
      expect(await claim({ now: NOW + 4 })).toEqual([]);
      const again = await claim({ now: NOW + 9 });
      expect(again).toMatchObject([
        { email: { id }, attempt: 1, dueAt: NOW + 5 },
        { email: { id: later }, attempt: 1, dueAt: NOW + 9 },
      ]);
      expect(await emails.attempts(id)).toEqual([]);
    });

    test("one put off by a clock that was ahead is due again at once when that is set right", async () => {
      const { emailQueue } = world().storage;
      const [id = ""] = await insert(1, { dueAt: NOW - 3 });
      const [scheduled = ""] = await insert(1, { scheduledAt: NOW - 2, dueAt: NOW - 2 });
      await emailQueue.release(leases(await claim()), { notBefore: NOW + 600_000 });
      expect(await emailQueue.restoreDue(NOW + 600_000 - 1_000)).toBe(0);
      expect(await emailQueue.restoreDue(NOW)).toBe(2);
      expect(ids(await claim())).toEqual([id, scheduled]);
    });

    test("counts no attempt for a suppressed recipient, nor where none was made", async () => {
      const { emails, emailQueue } = world().storage;
      const attemptsOf = async (id: string) => (await emails.recipients(id)).map(({ attempts }) => attempts);
      const recipients = ["a", "b"].map((name) => ({
        ...{ kind: "to" as const, name: "", address: `${name}@example.com` },
      }));
      const [id = ""] = await insert(1, { recipients });
      const first = resultOf(the((await claim())[0]), "deferred", { retryAt: NOW + 9 });
      await emailQueue.settle([{ ...first, attempt: undefined }], NOW);
      expect(await attemptsOf(id)).toEqual([0, 0]);
      const second = resultOf(the((await claim({ now: NOW + 9 }))[0]), "accepted", sent);
      const [a, b] = second.recipients;
      const settled = { ...second, recipients: [the(a), { ...the(b), state: "suppressed" as const }] };
      await emailQueue.settle([settled], NOW + 9);
      expect(await attemptsOf(id)).toEqual([1, 0]);
    });

    test("one released to another route waits there, unchanged otherwise", async () => {
      const { emailQueue } = world().storage;
      const [id = ""] = await insert(1, { dueAt: NOW - 3 });
      await emailQueue.release(leases(await claim()), { route: "s:1:7" });
      expect((await emailQueue.status(NOW)).due).toBe(1);
      expect(await claim()).toMatchObject([{ route: "s:1:7", email: { id }, attempt: 1, dueAt: NOW - 3 }]);
    });

    test("payloads are read separately, and deleted when settled if encrypted, not before", async () => {
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
      await insert(1, { payload: secret, dueAt: NOW + 9 });
      await emailQueue.settle(
        claimed.map((one) => resultOf(one, "accepted", sent, { isSealed })),
        NOW,
      );
      expect(await emailQueue.payloads(leases(claimed))).toEqual([undefined, payload]);
      expect(await emailQueue.payloads(leases(await claim({ now: NOW + 9 })))).toEqual([secret]);
    });

    test("holds set by a clock that was ahead end with it, except those without an end", async () => {
      const { emailQueue } = world().storage;
      const hour = 3_600_000;
      await emailQueue.park(
        { route: "ahead", owner: "server", until: NOW + hour + 9, reason: "" },
        NOW + hour,
      );
      await emailQueue.park({ route: "paused", owner: "server", until: undefined, reason: "" }, NOW + hour);
      await emailQueue.park({ route: "now", owner: "server", until: NOW + 9, reason: "" }, NOW);
      await emailQueue.restoreDue(NOW);
      expect((await emailQueue.parked(NOW)).map(({ route }) => route)).toEqual(["now", "paused"]);
    });

    test("e-mails deferred by a clock that was ahead are due again; scheduled ones keep their time", async () => {
      const { emailQueue } = world().storage;
      const ahead = NOW + 600_000;
      const [early = ""] = await insert(1, { queuedAt: ahead, dueAt: ahead });
      const at = ahead + 50_000;
      await insert(1, { queuedAt: ahead, scheduledAt: at, dueAt: at });
      await insert(1, { scheduledAt: NOW + 9, dueAt: NOW + 9 });
      expect(await claim()).toEqual([]);
      // Postponed by the rate of a campaign.
      const [paced = ""] = await insert(1, { queuedAt: ahead, dueAt: ahead + 5 });
      // Deferred by a clock that is right, and due in any case.
      const [tried = ""] = await insert(1);
      const retries = (await claim()).map((one) => resultOf(one, "deferred", { retryAt: NOW + 7 }));
      await emailQueue.settle(retries, NOW);
      const [due = ""] = await insert(1, { queuedAt: ahead, dueAt: NOW - 1 });
      expect(await emailQueue.restoreDue(NOW)).toBe(2);
      expect(ids(await claim())).toEqual([due, early]);
      expect(ids(await claim({ now: NOW + 5 }))).toEqual([paced]);
      expect(ids(await claim({ now: NOW + 7 }))).toEqual([tried]);
      expect(await nextAt()).toBe(NOW + 9);
      expect(ids(await claim({ now: at }))).toHaveLength(2);
    });
  });
}
