import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { claimAll, resultOf } from "./claims.ts";
import { listedIn, NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

/** Fields that an e-mail is inserted with but that are not read back. */
const notShown = ["recipients", "apiKeyId", "dueAt", "queuedAt", "payload", "route"];

/** The contract of the e-mail log: stored fields and retention. The contract of its lists is in `email-lists.ts`. */
export function describeEmails(open: () => Promise<Storage>): void {
  describe("e-mail log", () => {
    const world = useSendingWorld(open);
    const listed = listedIn(world);

    test("an e-mail is found as inserted", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const email = newEmail(world(), {
        template: "welcome",
        templateVersionId: nextId(),
        tags: ["a", "b"],
        batchId: nextId(),
        payload: {
          from: { name: "Ünï", address: "hello@acme.example" },
          replyTo: [{ name: "", address: "reply@acme.example" }],
          headers: [{ name: "X-Campaign", value: "1" }],
          data: { name: "Ada", list: [1, { deep: null }], "": "\u0000 𝄞" },
          literal: true,
        },
        metadata: { order: 7 },
        recipients: [
          { kind: "bcc", name: "", address: "c@example.com" },
          { kind: "to", name: "B", address: "b@example.com" },
          { kind: "cc", name: "", address: "b@example.com" },
          { kind: "to", name: "A", address: "A@example.com" },
        ],
      });
      await storage.emails.insert([email]);
      const kept = Object.fromEntries(Object.entries(email).filter(([name]) => !notShown.includes(name)));
      const expected = {
        ...kept,
        status: "queued",
        sentAt: undefined,
        to: ["b@example.com", "A@example.com"],
      };
      expect(await storage.emails.find(workspaceId, email.id, NOW)).toEqual(expected);
      expect(await storage.emails.find("all", email.id, NOW)).toEqual(expected);
      expect(await storage.emails.find(other, email.id, NOW)).toBeUndefined();
      expect(await storage.emails.find(workspaceId, nextId(), NOW)).toBeUndefined();
      const recipients = await storage.emails.recipients(email.id);
      expect(recipients.map(({ kind, name, address }) => [kind, name, address])).toEqual([
        ["to", "B", "b@example.com"],
        ["to", "A", "A@example.com"],
        ["cc", "", "b@example.com"],
        ["bcc", "", "c@example.com"],
      ]);
      expect(recipients[0]).toEqual({
        kind: "to",
        name: "B",
        address: "b@example.com",
        state: "pending",
        attempts: 0,
        code: undefined,
        lastReply: "",
        settledAt: undefined,
      });
      expect(await storage.emails.attempts(email.id)).toEqual([]);
      expect(await storage.emails.content(email.id)).toMatchObject({
        payload: email.payload,
        contentHash: expect.stringMatching(/./),
        stylesheetSetHash: undefined,
      });
      expect(await storage.emails.content(nextId())).toBeUndefined();
    });

    test("data outside of an e-mail's row is found by its position", async () => {
      const { storage } = world();
      const origin = { requestId: "req-1", idempotencyKey: "k", limits: { hour: 1, day: 2 } };
      const [waiting, plain] = [newEmail(world(), { origin }), newEmail(world(), { dueAt: NOW + 1 })];
      await storage.emails.insert([waiting, plain]);
      expect(await storage.emails.history(waiting.id)).toEqual({
        origin,
        apiKeyId: world().apiKeyId,
        versionNumber: undefined,
        route: waiting.route,
        settledAt: undefined,
        dueAt: NOW,
        inHand: undefined,
        reports: [],
        hits: [],
      });
      const [claimed] = await claimAll(storage, { now: NOW });
      if (claimed === undefined) throw new Error("nothing was claimed");
      const { dueAt, inHand } = (await storage.emails.history(waiting.id)) ?? {};
      expect([dueAt, inHand?.since]).toEqual([undefined, NOW]);
      const result = resultOf(claimed, "failed", { status: "failed", settledAt: NOW + 5 });
      const trace = '[{"steps":[["wait",1]]}]';
      const { attempt } = result;
      await storage.emailQueue.settle([{ ...result, attempt: attempt && { ...attempt, trace } }], NOW + 5);
      const report = { row: claimed.lease.row, position: 0, kind: "bounce", class: "hard" } as const;
      const said = {
        category: "unknown",
        enhancedCode: "5.1.1",
        reply: "550",
        source: "dsn",
        at: NOW,
      } as const;
      // The other kind comes first, so that the order of one time is that of the kinds.
      const complaint = { ...report, ...said, kind: "complaint", class: "complaint" } as const;
      await storage.reports.note([{ ...complaint, isBelieved: true }]);
      await storage.reports.note([{ ...report, ...said, isBelieved: true }]);
      const after = await storage.emails.history(waiting.id);
      expect(after).toMatchObject({ inHand: undefined, dueAt: undefined, settledAt: NOW + 5 });
      expect(after?.reports).toEqual([
        { position: 0, kind: "bounce", class: "hard", ...said },
        { position: 0, kind: "complaint", class: "complaint", ...said },
      ]);
      expect((await storage.emails.attempts(waiting.id))[0]?.trace).toBe(trace);
      expect(await storage.emails.history(plain.id)).toMatchObject({ origin: {}, dueAt: NOW + 1 });
      expect(await storage.emails.history(nextId())).toBeUndefined();
    });

    test("of many inserted at once, each e-mail has its own recipients", async () => {
      const { storage } = world();
      const emails = Array.from({ length: 71 }, (_, at) =>
        newEmail(world(), { recipients: [{ kind: "to", name: "", address: `${at}@example.com` }] }),
      );
      await storage.emails.insert(emails.slice(0, 70));
      await storage.emails.insert(emails.slice(70));
      for (const [at, { id }] of emails.entries())
        expect(await storage.emails.recipients(id)).toMatchObject([{ address: `${at}@example.com` }]);
    });

    test("e-mails due before a time are listed, the oldest first", async () => {
      const { storage } = world();
      const [late, next, soon] = [3, 2, 1].map((after) => newEmail(world(), { dueAt: NOW + after }));
      await storage.emails.insert([late, next, soon].flatMap((email) => email ?? []));
      const { emailQueue } = storage;
      expect(await emailQueue.listDue(NOW + 3, 9)).toEqual([next?.id, soon?.id]);
      expect(await emailQueue.listDue(NOW + 9, 1)).toEqual([late?.id]);
      expect(await emailQueue.listDue(NOW, 9)).toEqual([]);
    });

    test("old settled e-mails of a workspace are removed, a bounded number at a time", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const add = () => newEmail(world(), { createdAt: NOW - 2 });
      const old = [add(), add(), add()] as const;
      const waiting = newEmail(world(), { createdAt: NOW - 2, subject: "waiting" });
      const foreign = newEmail(world(), { createdAt: NOW - 2, workspaceId: other });
      // Among others' in the order of ids, by which stretches are removed as such.
      await storage.emails.insert([old[0], foreign, old[1], waiting, old[2]]);
      for (const { id } of old) await storage.emails.cancel(workspaceId, id, NOW - 1);
      await storage.emails.cancel(other, foreign.id, NOW - 1);
      expect((await storage.emails.deleteBefore(workspaceId, NOW - 2, 9)).removed).toBe(0);
      expect((await storage.emails.deleteBefore(workspaceId, NOW, 2)).removed).toBe(2);
      expect((await storage.emails.deleteBefore(workspaceId, NOW, 2)).removed).toBe(1);
      expect((await storage.emails.deleteBefore(workspaceId, NOW, 2)).removed).toBe(0);
      expect(await listed({})).toEqual(["waiting"]);
      expect(await storage.emails.recipients(old[0].id)).toEqual([]);
      expect(await storage.emails.attempts(old[0].id)).toEqual([]);
      expect(await listed({ workspaceId: other })).toEqual(["Hello"]);
      for (const { id } of [waiting, foreign]) {
        expect(await storage.emails.recipients(id)).toHaveLength(1);
        expect((await storage.emails.content(id))?.payload).toBeDefined();
      }
    });

    test("the service's own mails are counted in no status, whatever becomes of them", async () => {
      const { emails } = world().storage;
      const own = (scheduledAt?: number) =>
        newEmail(world(), {
          workspaceId: undefined,
          apiKeyId: undefined,
          scheduledAt,
          dueAt: scheduledAt ?? NOW,
        });
      await emails.insert([own(), newEmail(world(), { dueAt: NOW - 1 })]);
      await claimAll(world().storage);
      await emails.insert([own(), own(NOW + 9), newEmail(world())]);
      const totals = (["sending", "queued", "scheduled"] as const).map(
        async (status) =>
          (await emails.list({ workspaceId: "all", status }, { offset: 0, limit: 9 }, NOW)).total,
      );
      expect(await Promise.all(totals)).toEqual([1, 1, 0]);
    });
  });
}
