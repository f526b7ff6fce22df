import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { claimAll, LEASE, leases, resultOf, the } from "./claims.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

/** The contract of changes to waiting e-mails: cancelling, rescheduling. */
export function describeEmailControl(open: () => Promise<Storage>): void {
  describe("e-mail control", () => {
    const world = useSendingWorld(open);
    const claim = (now = NOW) => claimAll(world().storage, { now });

    test("an unclaimed e-mail can be cancelled, once", async () => {
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

    test("a claimed one can't, whatever the clock says, until it is released", async () => {
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

    test("one that some recipients got is partially sent, and tried in vain is no doubt", async () => {
      const { storage, workspaceId } = world();
      const { emails, emailQueue } = storage;
      const both = ["a", "b"].map((name) => ({ kind: "to" as const, name, address: `${name}@example.com` }));
      const tried = [both, both.slice(1)].map((recipients) => newEmail(world(), { recipients }));
      await emails.insert([...tried]);
      for (const claimed of await claim()) {
        const deferred = resultOf(claimed, "deferred", { retryAt: NOW + 60_000 });
        const recipients = deferred.recipients.map((one) =>
          one.address.startsWith("a@") ? { ...one, state: "accepted" as const, settledAt: NOW } : one,
        );
        await emailQueue.settle([{ ...deferred, recipients }], NOW);
      }
      for (const { id } of tried) expect(await emails.cancel(workspaceId, id, NOW + 1)).toBe("cancelled");
      const ended = tried.map(async ({ id }) => [
        (await emails.find(workspaceId, id, NOW))?.status,
        ...(await emails.recipients(id)).map(({ state, settledAt }) => [state, settledAt]),
      ]);
      expect(await Promise.all(ended)).toEqual([
        ["partially_sent", ["accepted", NOW], ["cancelled", NOW + 1]],
        ["cancelled", ["cancelled", NOW + 1]],
      ]);
    });

    test("waiting e-mails are rescheduled; claimed and settled ones are not", async () => {
      const { storage, workspaceId } = world();
      const [waiting, taken] = [newEmail(world()), newEmail(world(), { dueAt: NOW - 5 })];
      await storage.emails.insert([waiting, taken]);
      await claimAll(storage, { now: NOW - 5 });
      const at = NOW + 60_000;
      const reschedule = (id: string, workspace = workspaceId) =>
        storage.emails.reschedule(workspace, id, at, NOW);
      expect(await reschedule(waiting.id, workspaceId + 1)).toBe(false);
      expect([await reschedule(waiting.id), await reschedule(taken.id)]).toEqual([true, false]);
      expect(await storage.emails.find(workspaceId, waiting.id, NOW)).toMatchObject({
        status: "scheduled",
        scheduledAt: at,
      });
      expect(await claimAll(storage, { now: at - 1 })).toEqual([]);
      expect((await claimAll(storage, { now: at })).map(({ email }) => email.id)).toEqual([waiting.id]);
      expect(await reschedule(waiting.id)).toBe(false);
    });

    test("one that is rescheduled after an attempt keeps the Date that it was tried with", async () => {
      const { storage, workspaceId } = world();
      const { emails, emailQueue } = storage;
      const [untried, tried] = [newEmail(world(), { dueAt: NOW + 9 }), newEmail(world())];
      const planned = newEmail(world(), { dueAt: NOW - 5, scheduledAt: NOW - 5, createdAt: NOW - 9 });
      await emails.insert([untried, tried, planned]);
      const dates = () =>
        Promise.all(
          [untried, tried, planned].map(async ({ id }) => (await emails.content(id))?.payload?.date),
        );
      const deferred = (await claim()).map((one) => resultOf(one, "deferred", { retryAt: NOW + 60_000 }));
      await emailQueue.settle(deferred, NOW);
      for (const at of [NOW + 70_000, NOW + 80_000])
        for (const { id } of [untried, tried, planned])
          expect(await emails.reschedule(workspaceId, id, at, NOW)).toBe(true);
      expect(await dates()).toEqual([undefined, tried.createdAt, NOW - 5]);
      expect((await emails.content(tried.id))?.payload).toEqual({ ...tried.payload, date: tried.createdAt });
    });

    test("one that is rescheduled after an attempt keeps its new time when the clock is set back, unless that is now", async () => {
      const { storage, workspaceId } = world();
      const { emails, emailQueue } = storage;
      const ahead = NOW + 600_000;
      const [later, atOnce] = [newEmail(world()), newEmail(world())];
      await emails.insert([later, atOnce]);
      const deferred = (await claim(ahead)).map((one) =>
        resultOf(one, "deferred", { retryAt: ahead + 60_000 }),
      );
      await emailQueue.settle(deferred, ahead);
      for (const [{ id }, at] of [
        [later, ahead + 9_000],
        [atOnce, ahead],
      ] as const)
        expect(await emails.reschedule(workspaceId, id, at, ahead)).toBe(true);
      expect(await emailQueue.restoreDue(NOW)).toBe(1);
      expect((await claim(ahead + 8_999)).map(({ email }) => email.id)).toEqual([atOnce.id]);
      expect((await claim(ahead + 9_000)).map(({ email }) => email.id)).toEqual([later.id]);
    });

    test("one that was not tried yet does so, too", async () => {
      const { storage, workspaceId } = world();
      const { emails, emailQueue } = storage;
      const ahead = NOW + 600_000;
      const at = NOW + 700_000;
      const scheduled = { scheduledAt: at, dueAt: at };
      const [later, atOnce] = [newEmail(world(), scheduled), newEmail(world(), scheduled)];
      await emails.insert([later, atOnce]);
      expect(await emails.reschedule(workspaceId, later.id, ahead + 9_000, ahead)).toBe(true);
      expect(await emails.reschedule(workspaceId, atOnce.id, ahead, ahead)).toBe(true);
      expect(await emailQueue.restoreDue(NOW)).toBe(1);
      expect((await claim(NOW)).map(({ email }) => email.id)).toEqual([atOnce.id]);
    });

    test("cancelling is refused once a mail server may have accepted it", async () => {
      const { storage, workspaceId } = world();
      const email = newEmail(world());
      await storage.emails.insert([email]);
      const [claimed] = await claimAll(storage);
      if (claimed === undefined) throw new Error("There is none");
      expect(await storage.emails.cancel(workspaceId, email.id, NOW)).toBe("not_waiting");
      const [claim] = await storage.emailQueue.claims();
      if (claim === undefined) throw new Error("There is none");
      await storage.emailQueue.reclaim([claim], NOW);
      expect(await storage.emails.cancel(workspaceId, email.id, NOW)).toBe("in_doubt");
      expect((await storage.emails.find(workspaceId, email.id, NOW))?.status).toBe("queued");
      // Unless nothing more of many is to be sent, for whatever reason.
      const ended = await storage.emails.cancelAll([email.id], NOW);
      expect(ended).toMatchObject([{ id: email.id, status: "cancelled" }]);
      expect(await storage.emails.cancelAll([email.id], NOW)).toEqual([]);
      expect((await storage.emails.find(workspaceId, email.id, NOW))?.status).toBe("cancelled");
    });

    test("a claim lasts until its own last e-mail has left it, whatever leaves another", async () => {
      const { emails, emailQueue } = world().storage;
      await emails.insert([newEmail(world()), newEmail(world())]);
      const first = leases(await claim());
      await emails.insert([newEmail(world()), newEmail(world())]);
      const second = leases(await claim());
      await emailQueue.release(first.slice(0, 1));
      await emailQueue.release(second.slice(0, 1));
      const claimIds = [...first, ...second].map(({ claimId }) => claimId);
      const left = [...new Set(claimIds)].sort((a, b) => a - b);
      expect(left).toHaveLength(2);
      expect((await emailQueue.claims()).map(({ id }) => id)).toEqual(left);
      await emailQueue.release([...first, ...second]);
      expect(await emailQueue.claims()).toEqual([]);
    });

    test("what happens to one e-mail changes no other", async () => {
      const { storage, workspaceId } = world();
      const { emails, emailQueue } = storage;
      const secret = (dueAt = NOW) => {
        const email = newEmail(world(), { isSensitive: true, dueAt });
        return { ...email, payload: { ...email.payload, data: "sealed" } };
      };
      const claimOne = async (email: { id: string }, now: number) => {
        const claimed = await claim(now);
        expect(claimed.map((one) => one.email.id)).toEqual([email.id]);
        return the(claimed[0]);
      };
      const [failed, doubtful, waiting] = [secret(NOW - 30), secret(NOW - 20), secret()];
      await emails.insert([failed, doubtful, waiting]);
      const failure = { status: "failed", settledAt: NOW } as const;
      await emailQueue.settle([resultOf(await claimOne(failed, NOW - 30), "failed", failure)], NOW);
      await claimOne(doubtful, NOW - 20);
      await emailQueue.reclaim(await emailQueue.claims(), NOW);
      const others = () =>
        Promise.all(
          [failed, doubtful, waiting].map(async ({ id }) => ({
            email: await emails.find(workspaceId, id, NOW),
            recipients: await emails.recipients(id),
            attempts: await emails.attempts(id),
          })),
        );
      const before = await others();
      const [cancelled, ended, moved, tried] = [secret(), secret(), secret(), secret(NOW - 25)];
      await emails.insert([cancelled, ended, moved, tried]);
      expect(await emails.cancel(workspaceId, cancelled.id, NOW)).toBe("cancelled");
      expect(await emails.cancelAll([ended.id], NOW)).toMatchObject([{ id: ended.id }]);
      for (const { id } of [cancelled, ended]) expect((await emails.content(id))?.payload).toBeUndefined();
      expect(await emails.reschedule(workspaceId, moved.id, NOW + 60_000, NOW)).toBe(true);
      await emailQueue.settle([resultOf(await claimOne(tried, NOW - 25), "failed", failure)], NOW);
      expect(await emails.retry(workspaceId, tried.id, NOW - 25)).toEqual({ bounces: 0 });
      const sent = { status: "sent", settledAt: NOW } as const;
      const result = resultOf(await claimOne(tried, NOW - 25), "accepted", sent, { isSealed: true });
      await emailQueue.settle([result], NOW);
      expect(await others()).toEqual(before);
      // Its secrets are still there, too.
      expect(await emails.retry(workspaceId, failed.id, NOW)).toEqual({ bounces: 0 });
      const left = (await claim()).map(({ email }) => email.id);
      expect(left.sort()).toEqual([failed.id, doubtful.id, waiting.id].sort());
    });

    test("concurrent cancelling and claiming: each e-mail is either cancelled or claimed", async () => {
      const { storage, workspaceId } = world();
      const emails = Array.from({ length: 100 }, () => newEmail(world()));
      await storage.emails.insert(emails);
      const [cancelled, ...claimed] = await Promise.all([
        Promise.all(emails.map(({ id }) => storage.emails.cancel(workspaceId, id, NOW))),
        ...Array.from({ length: 10 }, (_, at) => claimAll(storage, { limit: 10, worker: `w${at}` })),
      ]);
      const taken = new Set(claimed.flat().map(({ email }) => email.id));
      const both = emails.filter(({ id }, at) => cancelled[at] === "cancelled" && taken.has(id));
      expect(both).toEqual([]);
      const gone = cancelled.filter((one) => one === "cancelled").length;
      expect(gone + taken.size + (await claimAll(storage)).length).toBe(100);
    });
  });
}
