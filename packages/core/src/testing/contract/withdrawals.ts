import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
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

    test("come before a next worker to what a killed one had", async () => {
      const { storage } = world();
      const { emails, emailQueue, erasures, recipients } = storage;
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
      const progress = { stage: "emails", cursor: "", emails: 0, campaigns: 0, events: 0 } as const;
      await erasures.insert({ ...person(), ...progress, id: nextId(), requestedAt: NOW });
      const later = NOW + 30_000;
      expect(await emailQueue.reclaim(await emailQueue.claims(), later)).toBe(3);
      expect(ids(await claimAll(storage, { now: later })).sort()).toEqual([others.id, got.id].sort());
      const [found] = (await recipients.emailsTo(person(), 0, 9)).filter(({ id }) => id === named.id);
      expect(await recipients.withdraw(the(found), later)).toBe("waiting");
      // The others of the e-mail still get it.
      expect(ids(await claimAll(storage, { now: later + 45_000 }))).toEqual([named.id]);
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
