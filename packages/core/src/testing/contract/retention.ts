import { describe, expect, test } from "vitest";
import type { NewEmail, OldRows, Removal, RetentionEnds, Storage } from "../../ports/storage.ts";
import { claimAll, leases, resultOf, sent } from "./claims.ts";
import { NOW, newCampaign, newEmail, useSendingWorld } from "./sending-world.ts";

/** The contract of retention: expired rows are removed in bounded pieces, and no others. */
export const describeRetention = (open: () => Promise<Storage>): void => {
  describe("retention", () => {
    const world = useSendingWorld(open);

    /** Adds e-mails that were settled by cancelling, each with its own content. */
    async function addSettled(count: number, over: Partial<NewEmail> = {}): Promise<NewEmail[]> {
      const { storage, workspaceId } = world();
      const emails: NewEmail[] = [];
      for (let n = 0; n < count; n += 1) {
        const contentId = await storage.contents.put({
          subject: "",
          html: "",
          text: `own ${over.createdAt} ${n}`,
        });
        emails.push(newEmail(world(), { contentId, createdAt: NOW - 2, ...over }));
      }
      await storage.emails.insert(emails);
      for (const { id, createdAt } of emails) await storage.emails.cancel(workspaceId, id, createdAt + 1);
      return emails;
    }

    /** What these periods have expired, of the world's workspace if they name no other. */
    const countOld = ({
      workspaceId = world().workspaceId,
      log,
      content,
    }: Partial<RetentionEnds>): Promise<OldRows> =>
      world().storage.retention.countOld([{ workspaceId, log, content }]);
    const countEmails = async (workspaceId: number, log: number) =>
      (await countOld({ workspaceId, log })).emails;
    const countContents = async (workspaceId: number, content: number) =>
      (await countOld({ workspaceId, content })).contents;

    test("deletes e-mails in pieces and skips waiting ones, whether they are consecutive or among others", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      await addSettled(3);
      await storage.emails.insert([newEmail(world(), { createdAt: NOW - 2, workspaceId: other })]);
      await storage.emails.insert([newEmail(world(), { createdAt: NOW - 2, subject: "waits" })]);
      await addSettled(2);
      await addSettled(1, { createdAt: NOW });
      expect(await countEmails(workspaceId, NOW)).toBe(5);
      const pieces: number[] = [];
      for (let next: number | undefined = 0; next !== undefined; ) {
        const piece = await storage.emails.deleteBefore(workspaceId, NOW, 2, next);
        pieces.push(piece.removed);
        next = piece.next;
      }
      expect(pieces.reduce((sum, removed) => sum + removed)).toBe(5);
      expect(Math.max(...pieces)).toBeLessThanOrEqual(2);
      const left = await storage.emails.list({ workspaceId }, { offset: 0, limit: 9 }, NOW);
      expect([left.total, left.items.map(({ subject }) => subject)]).toEqual([2, ["Hello", "waits"]]);
      const others = await storage.emails.list({ workspaceId: other }, { offset: 0, limit: 9 }, NOW);
      expect(others.total).toBe(1);
      expect(await countEmails(workspaceId, NOW)).toBe(0);
    });

    test("deletes the service's own e-mails, and no workspace's", async () => {
      const { storage, workspaceId } = world();
      const own = newEmail(world(), { createdAt: NOW - 2, workspaceId: undefined, apiKeyId: undefined });
      const [kept] = await addSettled(1);
      await storage.emails.insert([own]);
      await storage.emails.cancel("all", own.id, NOW - 1);
      const none = { contents: 0, recipients: 0, values: 0 };
      const ends = [undefined, workspaceId].map((id) => ({ workspaceId: id, log: NOW, content: undefined }));
      for (const one of ends) expect(await storage.retention.countOld([one])).toEqual({ ...none, emails: 1 });
      expect(await storage.retention.countOld(ends)).toEqual({ ...none, emails: 2 });
      expect(await storage.emails.deleteBefore(undefined, NOW, 9)).toEqual({ removed: 1, next: undefined });
      expect(await storage.emails.find("all", own.id, NOW)).toBeUndefined();
      expect(await storage.emails.find(workspaceId, kept?.id ?? "", NOW)).toBeDefined();
    });

    test("deletes contents of settled e-mails, keeps their log entries, and then deletes unreferenced contents", async () => {
      const { storage, workspaceId } = world();
      const [first, second] = await addSettled(2);
      const waiting = newEmail(world(), { createdAt: NOW - 2 });
      await storage.emails.insert([waiting]);
      expect(await countContents(workspaceId, NOW)).toBe(2);
      expect(await storage.emails.forgetContents(workspaceId, NOW - 2, 9)).toEqual({
        removed: 0,
        next: undefined,
      });
      const piece = await storage.emails.forgetContents(workspaceId, NOW, 1);
      expect(piece).toEqual({ removed: 1, next: expect.any(Number) });
      const rest = await storage.emails.forgetContents(workspaceId, NOW, 9, piece.next);
      expect(rest).toEqual({ removed: 1, next: undefined });
      expect(await storage.emails.forgetContents(workspaceId, NOW, 9)).toEqual({
        removed: 0,
        next: undefined,
      });
      expect(await countContents(workspaceId, NOW)).toBe(0);
      const found = await storage.emails.find(workspaceId, first?.id ?? "", NOW);
      expect(found).toMatchObject({ contentId: undefined, subject: "Hello", status: "cancelled" });
      expect((await storage.emails.find(workspaceId, waiting.id, NOW))?.contentId).toBe(waiting.contentId);
      expect(await storage.contents.find(second?.contentId ?? 0)).toBeDefined();
      expect(await storage.retention.countLoose()).toBe(2);
      await storage.contents.deleteUnused(9);
      expect(await storage.contents.find(second?.contentId ?? 0)).toBeUndefined();
      expect(await storage.contents.find(waiting.contentId)).toBeDefined();
    });

    test.each(["forgetContents", "deleteBefore"] as const)(
      "%s finds old e-mails behind those of a clock that was ahead",
      async (step) => {
        const { storage, workspaceId } = world();
        await addSettled(3, { createdAt: NOW + 1e9 });
        await addSettled(2);
        await addSettled(2, { createdAt: NOW });
        let removed = 0;
        for (let next: number | undefined = 0; next !== undefined; ) {
          const piece: Removal = await storage.emails[step](workspaceId, NOW, 2, next);
          removed += piece.removed;
          next = piece.next;
        }
        expect(removed).toBe(2);
        expect(await countContents(workspaceId, NOW)).toBe(0);
        expect(await countContents(workspaceId, NOW + 2e9)).toBe(5);
      },
    );

    test("keeps an e-mail that waited for long: its period begins when it is settled", async () => {
      const { storage, workspaceId } = world();
      const { emails } = storage;
      const email = newEmail(world(), { createdAt: NOW - 9 });
      await emails.insert([email]);
      await emails.cancel(workspaceId, email.id, NOW - 1);
      const removedBefore = async (before: number) => [
        await countEmails(workspaceId, before),
        await countContents(workspaceId, before),
        (await emails.forgetContents(workspaceId, before, 9)).removed,
        (await emails.deleteBefore(workspaceId, before, 9)).removed,
      ];
      expect(await removedBefore(NOW - 1)).toEqual([0, 0, 0, 0]);
      expect(await removedBefore(NOW)).toEqual([1, 1, 1, 1]);
    });

    test("deletes the values of e-mails past their period, and nothing of younger ones or of other workspaces", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const { emails, emailQueue } = storage;
      const other = await addWorkspace("Other");
      const [old, young, foreign] = [
        newEmail(world(), { createdAt: NOW - 2 }),
        newEmail(world(), { createdAt: NOW }),
        newEmail(world(), { createdAt: NOW - 2, workspaceId: other }),
      ];
      await emails.insert([old, young, foreign]);
      const claimed = await claimAll(storage);
      await emailQueue.settle(
        claimed.map((one) => resultOf(one, "accepted", { ...sent, settledAt: NOW - 1 })),
        NOW,
      );
      const withValues = async () => {
        const payloads = await emailQueue.payloads(leases(claimed));
        return claimed.flatMap(({ email }, at) => (payloads[at] === undefined ? [] : email.id)).sort();
      };
      expect(await withValues()).toEqual([old.id, young.id, foreign.id].sort());
      expect(await emails.forgetContents(workspaceId, NOW, 9)).toEqual({ removed: 1, next: undefined });
      expect(await withValues()).toEqual([young.id, foreign.id].sort());
      expect(await emails.deleteBefore(workspaceId, NOW, 9)).toEqual({ removed: 1, next: undefined });
      expect(await countEmails(other, NOW)).toBe(1);
      expect(await countContents(other, NOW)).toBe(1);
      for (const { id, contentId } of [young, foreign]) {
        expect(await emails.find("all", id, NOW)).toMatchObject({ contentId, status: "sent" });
        expect(await emails.recipients(id)).toMatchObject([{ state: "accepted" }]);
        expect(await emails.attempts(id)).toHaveLength(1);
      }
    });

    test("completed campaigns lose values, then recipients, and keep their counts", async () => {
      const { storage, workspaceId } = world();
      const { campaigns } = storage;
      const make = async (
        name: string,
        status: "running" | "completed" | "cancelled",
        of = workspaceId,
        lookAt?: number,
      ) => {
        const given = { ...newCampaign(world()), name, createdAt: NOW - 2, workspaceId: of };
        const { id } = await campaigns.insert(given);
        const people = ["a", "b", "c"].map((one) => ({
          name: one,
          address: `${one}@a.example`,
          templateData: { for: one },
        }));
        await campaigns.addRecipients(id, people);
        await campaigns.transition(id, ["draft"], { status, lookAt }, NOW - 2);
        await campaigns.count([{ campaignId: id, counter: "sent", by: 3 }]);
        return id;
      };
      const stranger = await world().addWorkspace("Other");
      const theirs = await make("Theirs", "completed", stranger);
      const [ended, runs] = [await make("Ended", "completed"), await make("Runs", "running")];
      // Its recipients are still to be cancelled, and counted: the queue is paused, or no worker runs.
      const uncleared = await make("Uncleared", "cancelled", workspaceId, NOW - 2);
      // Of a list without its first recipients, the next are found behind those of other lists.
      const thinned = await make("Thinned", "completed");
      await campaigns.removeRecipients(thinned, 2, 0);
      const list = (id: number) => campaigns.recipients({ id, workspaceId }, {}, { offset: 0, limit: 9 });
      const values = async (id: number) =>
        (await campaigns.recipientsAfter(id, 0, { limit: 9, maxBytes: 999 })).map(
          ({ templateData }) => templateData["for"],
        );
      expect(await countOld({ content: NOW })).toMatchObject({ recipients: 0, values: 4 });
      expect(await countOld({ content: NOW, log: NOW - 9 })).toMatchObject({ recipients: 0, values: 4 });
      expect(await countOld({ content: NOW, log: NOW })).toMatchObject({ recipients: 4, values: 0 });
      const old = { workspaceId, before: NOW, limit: 2 };
      for (let done = 1; done > 0; ) {
        done = await campaigns.forgetContents(old);
        expect(done).toBeLessThanOrEqual(2);
      }
      expect(await values(ended)).toEqual([undefined, undefined, undefined]);
      expect(await values(thinned)).toEqual([undefined]);
      expect(await values(runs)).toEqual(["a", "b", "c"]);
      expect((await campaigns.find(workspaceId, ended))?.contentId).toBeUndefined();
      expect(await countOld({ content: NOW })).toMatchObject({ recipients: 0, values: 0 });
      expect(await countOld({ log: NOW })).toMatchObject({ recipients: 4, values: 0 });
      expect(await campaigns.deleteRecipients({ ...old, before: NOW - 2 })).toEqual({
        removed: 0,
        next: undefined,
      });
      // What is before a place is left to the next round.
      const pieces = [
        await campaigns.deleteRecipients(old, { campaignId: ended, position: 1 }),
        await campaigns.deleteRecipients(old),
      ];
      while (pieces.at(-1)?.next !== undefined)
        pieces.push(await campaigns.deleteRecipients(old, pieces.at(-1)?.next));
      expect(pieces.map(({ removed }) => removed)).toEqual([2, 1, 1, 0]);
      expect([(await list(ended)).total, (await list(runs)).total]).toEqual([0, 3]);
      expect(await campaigns.cancelPending(uncleared, 9)).toBe(3);
      expect(await values(theirs)).toEqual(["a", "b", "c"]);
      expect((await campaigns.counts([ended])).get(ended)).toMatchObject({ sent: 3 });
    });

    test("counts what several workspaces' periods have expired, and nothing twice", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const other = await addWorkspace("Other");
      await addSettled(3, { createdAt: NOW - 9 });
      await addSettled(2, { createdAt: NOW - 5 });
      await addSettled(1, { createdAt: NOW });
      const [theirs] = [newEmail(world(), { createdAt: NOW - 9, workspaceId: other })];
      await storage.emails.insert([theirs]);
      await storage.emails.cancel(other, theirs.id, NOW - 1);
      const none = { recipients: 0, values: 0 };
      const ends = [
        { workspaceId, log: NOW - 7, content: NOW - 3 },
        { workspaceId: other, log: undefined, content: NOW },
      ];
      expect(await storage.retention.countOld(ends)).toEqual({ ...none, emails: 3, contents: 3 });
      // Past its log's period by its acceptance, but settled later: of such a one only the content goes.
      const settledLate = { workspaceId: other, log: NOW - 3, content: NOW };
      expect(await storage.retention.countOld([settledLate])).toEqual({ ...none, emails: 0, contents: 1 });
      expect(await storage.retention.countOld([])).toEqual({ ...none, emails: 0, contents: 0 });
    });

    test("frees space without damaging existing rows", async () => {
      const { storage, workspaceId } = world();
      await addSettled(5);
      await storage.emails.deleteBefore(workspaceId, NOW, 9);
      expect(await storage.reclaim({ all: true })).toBeGreaterThanOrEqual(0);
      expect((await storage.emails.list({ workspaceId }, { offset: 0, limit: 9 }, NOW)).total).toBe(0);
    });
  });
};
