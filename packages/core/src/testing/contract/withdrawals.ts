import { describe, expect, test } from "vitest";
import type { ErasureStage, Storage } from "../../ports/storage.ts";
import { claimAll, ids, resultOf, the } from "./claims.ts";
import { ada, bob, erasedPerson, NOW, newEmail, nextId, to, useSendingWorld } from "./sending-world.ts";

/** The contract of erasures while e-mails are on their way. */
export const describeWithdrawals = (open: () => Promise<Storage>): void => {
  describe("erasures of who is in e-mails on their way", () => {
    const world = useSendingWorld(open);

    const person = () => erasedPerson(world());

    test("withdraw the person from e-mails that wait, and leave those in hand, sent or of others", async () => {
      const { storage, workspaceId } = world();
      const { emails, emailQueue, recipients } = storage;
      const sealed = (address: string) => {
        const email = newEmail(world(), { isSensitive: true, recipients: to(address) });
        return { ...email, payload: { ...email.payload, data: "sealed" } };
      };
      const first = (...addresses: string[]) =>
        newEmail(world(), { recipients: to(...addresses), dueAt: NOW - 30 });
      const [got, tried] = [first(ada, bob), first(bob, ada)];
      const taken = newEmail(world(), { dueAt: NOW - 20 });
      const [waiting, others] = [sealed(ada), sealed(bob)];
      await emails.insert([got, tried, taken, waiting, others]);
      // The server takes the first recipient of each.
      for (const claimed of await claimAll(storage, { now: NOW - 30 })) {
        const deferred = resultOf(claimed, "deferred", { retryAt: NOW + 60_000 });
        const [one, other] = deferred.recipients;
        const accepted = { ...the(one), state: "accepted" as const, settledAt: NOW };
        await emailQueue.settle([{ ...deferred, recipients: [accepted, the(other)] }], NOW);
      }
      const found = await recipients.emailsTo(person(), 0, 9);
      expect(found.map(({ id }) => id)).toEqual([got, tried, taken, waiting].map(({ id }) => id));
      // Of the last one they are encrypted.
      const told = (await recipients.readEmails(person(), 0, NOW)).emails;
      expect(told.map(({ payload }) => payload?.data)).toEqual([
        ...Array(3).fill({ name: "Ada" }),
        undefined,
      ]);
      expect(await claimAll(storage, { now: NOW - 20 })).toHaveLength(1);

      const outcomes: unknown[] = [];
      for (const email of found) outcomes.push(await recipients.withdraw(email, NOW));
      expect(outcomes).toEqual(["waiting", "partially_sent", "in_hand", "cancelled"]);
      const statesOf = async ({ id }: { id: string }) =>
        (await emails.recipients(id)).map(({ state }) => state);
      expect(await statesOf(got)).toEqual(["accepted", "deferred"]);
      expect(await statesOf(tried)).toEqual(["accepted", "cancelled"]);
      expect(await statesOf(taken)).toEqual(["pending"]);
      expect(await statesOf(waiting)).toEqual(["cancelled"]);
      const page = { offset: 0, limit: 9 };
      for (const [status, email] of [
        ["partially_sent", tried],
        ["cancelled", waiting],
      ] as const) {
        const { items, total } = await emails.list({ workspaceId, status }, page, NOW);
        expect([total, ...items.map(({ id }) => id)], status).toEqual([1, email.id]);
      }
      // Secrets are removed with the last recipient, and only then.
      expect((await emails.content(waiting.id))?.payload).toBeUndefined();
      expect((await emails.content(others.id))?.payload).toBeDefined();
      const left = await claimAll(storage, { now: NOW + 60_000 });
      expect(left.map(({ email }) => email.id).sort()).toEqual([got.id, others.id].sort());
    });

    /** Begins to erase Ada; the function returned stores how far that is. */
    async function beginErasure(): Promise<(stage: ErasureStage) => Promise<void>> {
      const { erasures } = world().storage;
      const progress = { cursor: "", emails: 0, campaigns: 0, events: 0 };
      const erasure = { ...person(), ...progress, id: nextId(), requestedAt: NOW };
      await erasures.insert({ ...erasure, stage: "emails" });
      return (stage) => erasures.note({ ...erasure, stage }, NOW);
    }

    test("keep what waits for the person from workers, until it is withdrawn", async () => {
      const { storage } = world();
      const { emails, emailQueue, recipients } = storage;
      const [alone, shared, others] = [
        newEmail(world(), { recipients: to(ada) }),
        newEmail(world(), { recipients: to(bob, ada) }),
        newEmail(world(), { recipients: to(bob) }),
      ];
      const workspaceId = await world().addWorkspace("Other");
      const elsewhere = newEmail(world(), { recipients: to(ada), workspaceId });
      await emails.insert([alone, shared, others, elsewhere]);
      const note = await beginErasure();
      const claimed = ids(await claimAll(storage));
      expect(claimed.sort()).toEqual([others.id, elsewhere.id].sort());
      const soon = NOW + 5_000;
      expect(await emailQueue.look(soon - 1, 9)).toEqual({ due: [], nextAt: soon });
      const found = await recipients.emailsTo(person(), 0, 9);
      expect(await recipients.withdraw(the(found[0]), NOW)).toBe("cancelled");
      expect(await claimAll(storage, { now: soon })).toEqual([]);
      expect(await recipients.withdraw(the(found[1]), NOW)).toBe("waiting");
      // The others of the e-mail still get it; who is sent to again, after all e-mails are erased, gets that.
      expect(ids(await claimAll(storage, { now: soon + 5_000 }))).toEqual([shared.id]);
      const again = newEmail(world(), { recipients: to(ada) });
      await emails.insert([again]);
      await note("events");
      expect(ids(await claimAll(storage))).toEqual([again.id]);
    });

    test("keep others' mail from no worker, however much waits before it for the person", async () => {
      const { storage } = world();
      const waiting = Array.from({ length: 5 }, () =>
        newEmail(world(), { recipients: to(ada), dueAt: NOW - 9 }),
      );
      const others = newEmail(world(), { recipients: to(bob) });
      await storage.emails.insert([...waiting, others]);
      await beginErasure();
      expect(ids(await claimAll(storage, { limit: 2 }))).toEqual([others.id]);
      expect(await storage.emailQueue.look(NOW, 9)).toEqual({ due: [], nextAt: NOW + 5_000 });
    });

    test("come before a next worker to what a killed one had", async () => {
      const { storage } = world();
      const { emails, emailQueue, recipients } = storage;
      const [named, others] = [
        newEmail(world(), { recipients: to(bob, ada) }),
        newEmail(world(), { recipients: to(bob) }),
      ];
      const got = newEmail(world(), { recipients: to(ada, bob), dueAt: NOW - 9 });
      await emails.insert([named, others, got]);
      // Of the last one, the server took the person.
      for (const claimed of await claimAll(storage, { now: NOW - 9 })) {
        const deferred = resultOf(claimed, "deferred", { retryAt: NOW });
        const [one, other] = deferred.recipients;
        const accepted = { ...the(one), state: "accepted" as const, settledAt: NOW };
        await emailQueue.settle([{ ...deferred, recipients: [accepted, the(other)] }], NOW);
      }
      expect(await claimAll(storage)).toHaveLength(3);
      await beginErasure();
      const later = NOW + 30_000;
      expect(await emailQueue.reclaim(await emailQueue.claims(), later)).toBe(3);
      expect(ids(await claimAll(storage, { now: later })).sort()).toEqual([others.id, got.id].sort());
      const [found] = (await recipients.emailsTo(person(), 0, 9)).filter(({ id }) => id === named.id);
      expect(await recipients.withdraw(the(found), later)).toBe("waiting");
      expect(ids(await claimAll(storage, { now: later + 5_000 }))).toEqual([named.id]);
      expect((await emails.attempts(named.id)).map(({ outcome }) => outcome)).toEqual(["interrupted"]);
    });

    test("take an e-mail for settled that is gone, whatever others wait or are in hand", async () => {
      const { storage } = world();
      const { emails, recipients } = storage;
      await emails.insert([
        newEmail(world(), { recipients: to(bob), dueAt: NOW - 9 }),
        newEmail(world(), { recipients: to(bob) }),
      ]);
      await claimAll(storage, { now: NOW - 9 });
      const gone = { row: 999, id: nextId(), position: 0, isAlone: true };
      expect(await recipients.withdraw(gone, NOW)).toBe("settled");
    });
  });
};
