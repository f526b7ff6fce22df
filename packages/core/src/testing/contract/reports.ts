import { describe, expect, test } from "vitest";
import type { RecipientReport, Storage } from "../../ports/storage.ts";
import { NOW, newEmail, nextId, to, useSendingWorld } from "./sending-world.ts";

const day = 86_400_000;

/** The contract of `Reports`. */
export function describeReports(open: () => Promise<Storage>): void {
  describe("reports", () => {
    const world = useSendingWorld(open);

    async function addEmail(addresses = ["ada@example.com"]): Promise<{ id: string; row: number }> {
      const email = newEmail(world(), { recipients: to(...addresses) });
      await world().storage.emails.insert([email]);
      const found = await world().storage.reports.findEmail({ id: email.id });
      return { id: email.id, row: found?.row ?? 0 };
    }

    const bounce = (row: number, over: Partial<RecipientReport> = {}): RecipientReport => ({
      row,
      position: 0,
      kind: "bounce",
      class: "hard",
      category: "invalid_recipient",
      enhancedCode: "5.1.1",
      reply: "550 no",
      source: "dsn",
      isBelieved: true,
      at: NOW,
      ...over,
    });

    const report = (over: Partial<Parameters<Storage["reports"]["keep"]>[0]> = {}) => ({
      id: nextId(),
      workspaceId: world().workspaceId,
      kind: "notification" as const,
      source: "dsn" as const,
      emailId: undefined,
      effects: [],
      createdAt: NOW,
      digest: nextId(),
      raw: "cmF3",
      ...over,
    });

    test("an e-mail is found by its row and its id, its recipients by their positions", async () => {
      const { reports } = world().storage;
      await addEmail(["other@example.com"]);
      const { id, row } = await addEmail(["a@example.com", "b@example.com"]);
      const found = await reports.findEmail({ row });
      expect(found).toMatchObject({ row, email: { id, workspaceId: world().workspaceId } });
      expect(found?.recipients.map(({ address }) => address)).toEqual(["a@example.com", "b@example.com"]);
      expect(await reports.findEmail({ id })).toEqual(found);
      expect(await reports.findEmail({ row: row + 1_000 })).toBeUndefined();
      expect(await reports.findEmail({ id: nextId() })).toBeUndefined();
    });

    test("each kind is recorded once for a recipient, also by concurrent calls", async () => {
      const { storage } = world();
      const { id, row } = await addEmail(["a@example.com", "b@example.com"]);
      const both = [bounce(row, { position: 1 }), bounce(row), bounce(row, { reply: "again" })];
      const answers = await Promise.all(Array.from({ length: 8 }, () => storage.reports.note(both)));
      const noted = answers.flat().map(({ position }) => position);
      expect(noted.sort()).toEqual([0, 1]);
      const complaint = bounce(row, {
        kind: "complaint",
        class: "complaint",
        category: "abuse",
        at: NOW + 5,
      });
      expect(await storage.reports.note([complaint, bounce(row)])).toEqual([complaint]);
      expect(await storage.reports.note([])).toEqual([]);
      expect(await storage.emails.recipients(id)).toMatchObject([
        {
          class: "hard",
          category: "invalid_recipient",
          enhancedCode: "5.1.1",
          bouncedAt: NOW,
          complainedAt: NOW + 5,
        },
        { class: "hard", bouncedAt: NOW, complainedAt: undefined },
      ]);
    });

    test("a report that was not believed is replaced once, but for its time; one that was, stays", async () => {
      const { emails, reports } = world().storage;
      const { id, row } = await addEmail(["a@example.com", "b@example.com"]);
      const doubtful = { isBelieved: false, class: "soft", category: "transient", enhancedCode: undefined };
      await reports.note([bounce(row, doubtful), bounce(row, { ...doubtful, position: 1 })]);
      const certain = bounce(row, { at: NOW + 5, reply: "550 unknown" });
      expect(await reports.replaceUnbelieved({ ...certain, kind: "complaint" })).toBe(false);
      expect(await reports.replaceUnbelieved({ ...certain, row: row + 1_000 })).toBe(false);
      const answers = await Promise.all([certain, certain].map((one) => reports.replaceUnbelieved(one)));
      expect(answers.sort()).toEqual([false, true]);
      expect(await reports.note([certain])).toEqual([]);
      expect(await emails.recipients(id)).toMatchObject([
        { class: "hard", category: "invalid_recipient", enhancedCode: "5.1.1", bouncedAt: NOW },
        { class: "soft", category: "transient", bouncedAt: NOW },
      ]);
    });

    test("records are rolled back with the transaction, and none is about a deleted e-mail", async () => {
      const { storage, workspaceId } = world();
      const { id, row } = await addEmail();
      const undone = storage.transaction(async ({ reports }) => {
        await reports.note([bounce(row)]);
        throw new Error("no");
      });
      await expect(undone).rejects.toThrow("no");
      expect(await storage.reports.note([bounce(row)])).toHaveLength(1);
      await storage.emails.cancel(workspaceId, id, NOW);
      await storage.emails.deleteBefore(workspaceId, NOW + 1, 10);
      expect(await storage.reports.note([bounce(row), bounce((await addEmail()).row)])).toHaveLength(1);
    });

    test("the server's own id finds the e-mail, by the address it was sent to", async () => {
      const { storage, workspaceId } = world();
      const { reports } = storage;
      const { row, id } = await addEmail(["Ada@Example.com"]);
      const other = await world().addWorkspace("Other");
      expect(await reports.isSendingTo(workspaceId, "ada@example.com")).toBe(false);
      const { due } = await storage.emailQueue.look(NOW, 9);
      const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
      const [claimed] = await storage.emailQueue.claim({
        wants,
        now: NOW,
        leaseMs: 1_000,
        worker: "w",
        maxBytes: 1e9,
      });
      if (claimed === undefined) throw new Error("nothing was claimed");
      expect(await reports.isSendingTo(workspaceId, "ada@example.com")).toBe(true);
      expect(await reports.isSendingTo(other, "ada@example.com")).toBe(false);
      expect(await reports.isSendingTo(workspaceId, "bob@example.com")).toBe(false);
      await storage.emailQueue.settle(
        [
          {
            lease: claimed.lease,
            emailId: id,
            workspaceId,
            isSealed: false,
            attempt: {
              number: 1,
              startedAt: NOW,
              endedAt: NOW,
              worker: "w",
              outcome: "sent",
              inDoubt: false,
              reply: "",
            },
            recipients: [
              {
                kind: "to",
                address: "Ada@Example.com",
                state: "accepted",
                code: 250,
                lastReply: "250 Ok 0100018f-77aa",
                settledAt: NOW,
              },
            ],
            next: { status: "sent", settledAt: NOW },
          },
        ],
        NOW,
      );
      expect(await reports.isSendingTo(workspaceId, "ada@example.com")).toBe(false);
      expect(await reports.findByRemoteId(workspaceId, "ada@example.com", "0100018f-77aa")).toMatchObject({
        row,
      });
      expect(await reports.findByRemoteId(workspaceId, "ada@example.com", "0100018f-77ab")).toBeUndefined();
      // A filter of a few characters would match anything.
      expect(await reports.findByRemoteId(workspaceId, "ada@example.com", "0")).toBeUndefined();
      expect(await reports.findByRemoteId(other, "ada@example.com", "0100018f-77aa")).toBeUndefined();
      expect(await reports.findByRemoteId(workspaceId, "bob@example.com", "0100018f-77aa")).toBeUndefined();
    });

    test("the list of an e-mail is found as long as its payload is stored", async () => {
      const { storage, workspaceId } = world();
      const add = async (unsubscribe?: { list: string; url: string }) => {
        const email = newEmail(world());
        await storage.emails.insert([
          { ...email, payload: { ...email.payload, ...(unsubscribe && { unsubscribe }) } },
        ]);
        const found = await storage.reports.findEmail({ id: email.id });
        return { id: email.id, row: found?.row ?? 0 };
      };
      const { id, row } = await add({ list: "news", url: "https://a.example/u" });
      expect(await storage.reports.findList(row)).toBe("news");
      expect(await storage.reports.findList((await add()).row)).toBeUndefined();
      await storage.emails.cancel(workspaceId, id, NOW);
      await storage.emails.forgetContents(workspaceId, NOW + 1, 9);
      expect(await storage.reports.findList(row)).toBeUndefined();
    });

    test("days of bounces are counted by address and reason", async () => {
      const { storage, workspaceId } = world();
      const other = { workspaceId: await world().addWorkspace("Other") };
      const note = (at: number, over: { address?: string; category?: string; workspaceId?: number } = {}) =>
        storage.reports.noteBounceDay({
          workspaceId,
          address: "Ada@example.com",
          category: "mailbox_full",
          at,
          since: at - 30 * day,
          ...over,
        });
      expect(await note(NOW + 5)).toEqual({ days: 1, firstAt: NOW + 5 });
      expect(await note(NOW + 9)).toEqual({ days: 1, firstAt: NOW + 5 });
      expect(await note(NOW + day, other)).toEqual({ days: 1, firstAt: NOW + day });
      expect(await note(NOW + day, { address: "ada@EXAMPLE.com" })).toEqual({ days: 2, firstAt: NOW + 5 });
      expect(await note(NOW + day, { category: "inactive_mailbox" })).toMatchObject({ days: 1 });
      expect(await note(NOW + 31 * day)).toEqual({ days: 2, firstAt: NOW + day });
      expect(await storage.reports.deleteBounceDaysBefore(NOW + 2 * day, 2)).toBe(2);
      expect(await storage.reports.deleteBounceDaysBefore(NOW + 2 * day, 10)).toBe(2);
      expect(await note(NOW + 31 * day)).toEqual({ days: 1, firstAt: NOW + 31 * day });
      expect(await note(NOW + 31 * day, { address: "bob@example.com" })).toMatchObject({ days: 1 });
    });

    test("a repeated message is found as stored", async () => {
      const { storage, workspaceId } = world();
      const { id: emailId } = await addEmail();
      const other = await world().addWorkspace("Other");
      const effect = {
        kind: "bounce",
        recipient: "ada@example.com",
        class: "hard",
        category: "invalid_recipient",
        effect: "noted",
      } as const;
      const first = report({ emailId, effects: [effect] });
      expect(await storage.reports.keep(first)).toBeUndefined();
      const { digest, raw, ...kept } = first;
      expect(await storage.reports.keep(report({ digest }))).toMatchObject(kept);
      expect(await storage.reports.keep(report({ digest, workspaceId: other }))).toBeUndefined();
      expect(await storage.reports.findByDigest(workspaceId, digest)).toMatchObject(kept);
      expect(await storage.reports.findByDigest(workspaceId, nextId())).toBeUndefined();
      expect(await storage.reports.find(workspaceId, first.id)).toEqual({ ...kept, raw });
      expect(await storage.reports.find(other, first.id)).toBeUndefined();
      expect(await storage.reports.countAbout(workspaceId, emailId)).toBe(1);
      expect(await storage.reports.countAbout(other, emailId)).toBe(0);
      expect(await storage.reports.countAbout(workspaceId, nextId())).toBe(0);
    });

    test("reports are listed newest first, in pages, and removed by age", async () => {
      const { storage, workspaceId } = world();
      const { reports } = storage;
      const { id: emailId } = await addEmail();
      const other = await world().addWorkspace("Other");
      const made = [
        report({ emailId }),
        report({ kind: "complaint", createdAt: NOW + 1 }),
        report({ createdAt: NOW + 2 }),
      ];
      for (const one of made) await reports.keep(one);
      await reports.keep(report({ workspaceId: other, createdAt: NOW + 2 }));
      const idsOf = async (filter: object, slice = { offset: 0, limit: 10 }) => {
        const { items, total } = await reports.list({ workspaceId, ...filter }, slice);
        expect((await reports.list({ workspaceId, ...filter }, { offset: 9, limit: 1 })).total).toBe(total);
        return [total, ...items.map(({ id }) => made.findIndex((one) => one.id === id))];
      };
      expect(await idsOf({})).toEqual([3, 2, 1, 0]);
      expect(await idsOf({}, { offset: 1, limit: 1 })).toEqual([3, 1]);
      expect(await idsOf({ kind: "complaint" })).toEqual([1, 1]);
      expect(await idsOf({ emailId })).toEqual([1, 0]);
      expect(await idsOf({ emailId: nextId() })).toEqual([0]);
      expect(await reports.deleteBefore(NOW + 2, 1)).toBe(1);
      expect(await reports.deleteBefore(NOW + 2, 10)).toBe(1);
      expect(await idsOf({})).toEqual([1, 2]);
    });

    test("old reports are removed though a clock that was ahead received others before them", async () => {
      const { reports } = world().storage;
      for (const createdAt of [NOW + 1e9, NOW + 1e9, NOW, NOW + 1]) await reports.keep(report({ createdAt }));
      expect(await reports.deleteBefore(NOW + 2, 1)).toBe(1);
      expect(await reports.deleteBefore(NOW + 2, 2)).toBe(1);
      expect(await reports.deleteBefore(NOW + 2, 2)).toBe(0);
    });

    test("an endpoint is found by its token's digest, and removed in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const { inboundEndpoints } = storage;
      const other = await world().addWorkspace("Other");
      const endpoint = { workspaceId, provider: "ses", secret: undefined, createdAt: NOW } as const;
      const first = { ...endpoint, id: nextId() };
      const second = { ...endpoint, id: nextId(), provider: "generic", secret: "sealed" } as const;
      await inboundEndpoints.insert({ ...first, tokenDigest: "one" });
      await inboundEndpoints.insert({ ...second, tokenDigest: "two" });
      expect(await inboundEndpoints.findByToken("two")).toEqual(second);
      expect(await inboundEndpoints.findByToken("three")).toBeUndefined();
      const all = { offset: 0, limit: 5 };
      expect((await inboundEndpoints.list(workspaceId, all)).items).toEqual([second, first]);
      expect(await inboundEndpoints.list(other, all)).toMatchObject({ items: [], total: 0 });
      expect(await inboundEndpoints.delete(other, first.id)).toBeUndefined();
      expect(await inboundEndpoints.delete(workspaceId, first.id)).toEqual(first);
      expect(await inboundEndpoints.delete(workspaceId, first.id)).toBeUndefined();
      expect(await inboundEndpoints.findByToken("one")).toBeUndefined();
    });
  });
}
