import { describe, expect, test } from "vitest";
import type { NewBatch, RecipientReport, Storage } from "../../ports/storage.ts";
import { claimAll, resultOf } from "./claims.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

/** The contract of batches. */
export function describeBatches(open: () => Promise<Storage>): void {
  describe("batches", () => {
    const world = useSendingWorld(open);
    const batch = (over: Partial<NewBatch> = {}): NewBatch => ({
      id: nextId(),
      workspaceId: world().workspaceId,
      apiKeyId: world().apiKeyId,
      total: 4,
      accepted: 3,
      skipped: [{ index: 1, to: "x", key: "k", code: "validation_failed", message: "is none", details: [] }],
      createdAt: NOW,
      ...over,
    });

    /** Inserts a batch with e-mails at these positions. */
    async function insert(indexes: number[], over: Partial<NewBatch> = {}) {
      const { storage } = world();
      const made = batch({ accepted: indexes.length, ...over });
      const emails = indexes.map((batchIndex) =>
        newEmail(world(), { batchId: made.id, batchIndex, subject: `${batchIndex}` }),
      );
      await storage.batches.insert(made);
      await storage.emails.insert(emails);
      return { made, emails };
    }

    const report = (row: number, kind: RecipientReport["kind"]): RecipientReport => ({
      ...{ row, position: 0, kind, enhancedCode: "", reply: "", source: "dsn", isBelieved: true, at: NOW },
      ...(kind === "bounce"
        ? { class: "hard", category: "invalid_recipient" }
        : { class: "complaint", category: "abuse" }),
    });

    test("a batch is found as inserted, by its own workspace", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const made = batch({ apiKeyId: undefined });
      await storage.batches.insert(batch({ skipped: [] }));
      await storage.batches.insert(made);
      const { skipped, ...found } = made;
      expect(await storage.batches.find(workspaceId, made.id)).toEqual(found);
      expect(await storage.batches.skipped(made)).toEqual(skipped);
      expect(await storage.batches.find(other, made.id)).toBeUndefined();
      expect(await storage.batches.skipped({ ...made, workspaceId: other })).toEqual([]);
      expect(await storage.batches.find(workspaceId, nextId())).toBeUndefined();
    });

    test("its e-mails keep their positions, and are listed and counted by status", async () => {
      const { storage, workspaceId } = world();
      const { made, emails } = await insert([0, 2, 3, 7]);
      const { emails: others } = await insert([0, 1]);
      const [first] = await claimAll(storage);
      if (first === undefined) throw new Error("nothing was claimed");
      await storage.emailQueue.settle([resultOf(first, "accepted", { status: "sent", settledAt: NOW })], NOW);
      for (const [email, kind] of [
        [emails[0], "bounce"],
        [emails[1], "complaint"],
        [emails[2], "complaint"],
        [others[0], "bounce"],
      ] as const) {
        const found = await storage.reports.findEmail({ id: email?.id ?? "" });
        await storage.reports.note([report(found?.row ?? 0, kind)]);
      }
      const { byStatus, bounced } = await storage.batches.counts(made, NOW);
      const told = await storage.batches.emails(made, NOW);
      expect(told.map(({ id, index }) => [id, index])).toEqual(
        emails.map(({ id, batchIndex }) => [id, batchIndex]),
      );
      expect(told.map(({ status }) => status)).toEqual(["sent", "sending", "sending", "sending"]);
      expect([byStatus, bounced]).toEqual([
        new Map([
          ["sending", 3],
          ["sent", 1],
        ]),
        1,
      ]);
      const page = await storage.emails.list({ workspaceId, batchId: made.id }, { offset: 1, limit: 2 }, NOW);
      expect([page.total, page.items.map(({ batchIndex }) => batchIndex)]).toEqual([4, [3, 2]]);
    });

    test("an e-mail is scheduled until its time, and may be suppressed from the start", async () => {
      const { storage } = world();
      const made = batch();
      await storage.batches.insert(made);
      await storage.emails.insert([
        newEmail(world(), { batchId: made.id, batchIndex: 0, scheduledAt: NOW + 5, dueAt: NOW + 5 }),
        newEmail(world(), {
          batchId: made.id,
          batchIndex: 1,
          recipients: [{ kind: "to", name: "", address: "a@example.com", suppressedBy: "manual" }],
        }),
      ]);
      const statuses = async (now: number) =>
        (await storage.batches.emails(made, now)).map(({ status }) => status);
      expect(await statuses(NOW)).toEqual(["scheduled", "suppressed"]);
      expect(await statuses(NOW + 5)).toEqual(["queued", "suppressed"]);
      expect(await storage.batches.counts(made, NOW + 5)).toEqual({
        byStatus: new Map([
          ["queued", 1],
          ["suppressed", 1],
        ]),
        bounced: 0,
      });
    });

    test("cancelling proceeds in pieces, and skips claimed e-mails", async () => {
      const { storage, workspaceId } = world();
      const { made, emails } = await insert([0, 1, 2, 3, 4]);
      const other = await insert([0]);
      const [taken] = await claimAll(storage, { limit: 1 });
      const cancelled: string[] = [];
      let after: number | undefined = 0;
      while (after !== undefined) {
        const piece = await storage.batches.cancel(made.id, { after, limit: 2, now: NOW + 1 });
        expect(piece.cancelled.length).toBeLessThanOrEqual(2);
        cancelled.push(...piece.cancelled.map(({ id }) => id));
        after = piece.last;
      }
      expect(cancelled).toEqual(emails.map(({ id }) => id).filter((id) => id !== taken?.email.id));
      const { byStatus } = await storage.batches.counts(made, NOW + 1);
      expect(byStatus).toEqual(
        new Map([
          ["cancelled", 4],
          ["sending", 1],
        ]),
      );
      expect(await storage.emails.recipients(cancelled[0] ?? "")).toMatchObject([
        { state: "cancelled", settledAt: NOW + 1 },
      ]);
      const log = await storage.emails.list(
        { workspaceId, status: "cancelled" },
        { offset: 0, limit: 9 },
        NOW,
      );
      expect(log.total).toBe(4);
      expect((await storage.batches.counts(other.made, NOW)).byStatus.get("queued")).toBe(1);
      expect(await storage.batches.cancel(made.id, { after: 0, limit: 9, now: NOW })).toEqual({
        cancelled: [],
        last: undefined,
      });
    });

    test("cancelling skips e-mails that a server may have accepted without a reply", async () => {
      const { storage } = world();
      const { made, emails } = await insert([0, 1]);
      const [first] = await claimAll(storage, { limit: 1 });
      if (first === undefined) throw new Error("nothing was claimed");
      const result = resultOf(first, "deferred", { retryAt: NOW + 9 });
      const attempt = result.attempt && { ...result.attempt, inDoubt: true };
      await storage.emailQueue.settle([{ ...result, attempt }], NOW);
      const { cancelled } = await storage.batches.cancel(made.id, { after: 0, limit: 9, now: NOW });
      expect(cancelled.map(({ id }) => id)).toEqual([emails[1]?.id]);
      expect((await storage.batches.counts(made, NOW)).byStatus.get("queued")).toBe(1);
    });

    test("it is deleted with the last of its e-mails; one without any, by its age", async () => {
      const { storage, workspaceId } = world();
      const { made } = await insert([0, 1]);
      const empty = batch({ accepted: 0 });
      await storage.batches.insert(empty);
      await storage.batches.cancel(made.id, { after: 0, limit: 9, now: NOW });
      const remains = async (id: string) => (await storage.batches.find(workspaceId, id)) !== undefined;
      expect(await storage.emails.deleteBefore(workspaceId, NOW + 1, 1)).toMatchObject({ removed: 1 });
      expect(await remains(made.id)).toBe(true);
      expect(await storage.emails.deleteBefore(workspaceId, NOW + 1, 1)).toMatchObject({ removed: 1 });
      expect(await remains(made.id)).toBe(false);
      expect(await storage.batches.deleteEmptyBefore(NOW, 9)).toBe(0);
      expect(await remains(empty.id)).toBe(true);
      expect(await storage.batches.deleteEmptyBefore(NOW + 1, 9)).toBe(1);
      expect(await remains(empty.id)).toBe(false);
    });

    test("it is deleted with its workspace", async () => {
      const { storage, workspaceId } = world();
      const { made } = await insert([0]);
      await storage.workspaces.delete(workspaceId);
      expect(await storage.batches.find(workspaceId, made.id)).toBeUndefined();
      expect(await storage.batches.emails(made, NOW)).toEqual([]);
    });
  });
}
