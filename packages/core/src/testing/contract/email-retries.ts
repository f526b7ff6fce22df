import { describe, expect, test } from "vitest";
import type { AttemptResult, ClaimedEmail, Storage } from "../../ports/storage.ts";
import { claimAll, resultOf, the } from "./claims.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

/** The contract of retries: who is tried again, and what is forgotten. */
export function describeEmailRetries(open: () => Promise<Storage>): void {
  describe("e-mail retries", () => {
    const world = useSendingWorld(open);
    const claim = (now = NOW) => claimAll(world().storage, { now });

    test("a failed e-mail's recipients return to the queue, except the accepted ones", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const contentId = await storage.contents.put({
        subject: "",
        html: "é".repeat(500),
        text: "x".repeat(9),
      });
      const email = newEmail(world(), {
        contentId,
        templateVersionId: undefined,
        literalBytes: 1_009,
        lane: 2,
        subject: "Grüße",
        metadata: { order: "é7" },
        recipients: ["a", "b"].map((name) => ({ kind: "to", name, address: `${name}@example.com` })),
      });
      await storage.emails.insert([email]);
      const retry = (workspace: number | "all") => storage.emails.retry(workspace, email.id, NOW + 9);
      expect(await retry(workspaceId)).toBeUndefined();
      const claimed = the((await claim())[0]);
      const failed = resultOf(claimed, "failed", { status: "partially_sent", settledAt: NOW + 5 });
      const [a, b] = failed.recipients;
      const recipients = [{ ...the(a), state: "accepted" as const }, the(b)];
      await storage.emailQueue.settle([{ ...failed, recipients }], NOW);
      expect(await retry(other)).toBeUndefined();
      expect(await retry(workspaceId)).toEqual({ bounces: 0 });
      expect(await retry(workspaceId)).toBeUndefined();
      expect((await storage.emails.recipients(email.id)).map(({ state }) => state)).toEqual([
        "accepted",
        "pending",
      ]);
      expect((await storage.emails.find(workspaceId, email.id, NOW))?.status).toBe("queued");
      const again = the((await claim(NOW + 9))[0]);
      expect([again.attempt, again.lane]).toEqual([2, 2]);
      // What a worker reads is no less than before.
      expect([again.bytes, claimed.bytes > 1_009]).toEqual([claimed.bytes, true]);
      expect(await storage.emailQueue.settle([failed], NOW)).toEqual([]);
    });

    test("a retried e-mail counts on from its own attempts, and no longer as failed", async () => {
      const { storage, workspaceId } = world();
      const [email, busy] = [newEmail(world(), { dueAt: NOW - 9 }), newEmail(world(), { dueAt: NOW - 9 })];
      await storage.emails.insert([email, busy]);
      const tryOnce = async (now: number, next: AttemptResult["next"], of: readonly string[]) => {
        for (const claimed of await claim(now)) {
          if (!of.includes(claimed.email.id)) await storage.emailQueue.release([claimed.lease]);
          else {
            const result = resultOf(claimed, "retryAt" in next ? "deferred" : "failed", next);
            const recipients = result.recipients.map((one) => ({ ...one, domainMissingSince: NOW - 9 }));
            await storage.emailQueue.settle([{ ...result, recipients }], NOW);
          }
        }
      };
      await tryOnce(NOW - 9, { retryAt: NOW - 8 }, [email.id, busy.id]);
      for (const now of [NOW - 8, NOW - 7]) await tryOnce(now, { retryAt: now + 1 }, [busy.id]);
      await tryOnce(NOW - 6, { status: "failed", settledAt: NOW }, [email.id]);
      const failed = async () => {
        const page = { offset: 0, limit: 9 };
        const { items, total } = await storage.emails.list({ workspaceId, status: "failed" }, page, NOW);
        return [total, ...items.map(({ id }) => id)];
      };
      expect(await failed()).toEqual([1, email.id]);
      expect(await storage.emails.retry(workspaceId, email.id, NOW)).toEqual({ bounces: 0 });
      expect(await failed()).toEqual([0]);
      const again = the((await claim()).find((one) => one.email.id === email.id));
      expect([again.attempt, again.recipients[0]?.domainMissingSince]).toEqual([3, undefined]);
    });

    test("whom a failed e-mail left waiting is retried, tried before or not", async () => {
      const { emails, emailQueue } = world().storage;
      const { workspaceId } = world();
      // A template's content is read once for many: it is no part of their sizes.
      const templated = () => newEmail(world(), { templateVersionId: nextId() });
      const [tried, untried] = [{ ...templated(), dueAt: NOW - 9 }, templated()];
      await emails.insert([tried, untried]);
      const [first] = await claim(NOW - 9);
      await emailQueue.settle([resultOf(the(first), "deferred", { retryAt: NOW })], NOW - 9);
      const claimed = await claim();
      // As of a damaged row, of which nobody is known.
      const next = { status: "failed", settledAt: NOW } as const;
      const results = claimed.map((one) => ({ ...resultOf(one, "failed", next), recipients: [] }));
      expect(await emailQueue.settle(results, NOW)).toHaveLength(2);
      for (const { id } of [tried, untried])
        expect(await emails.retry(workspaceId, id, NOW)).toEqual({ bounces: 0 });
      const again = await claim();
      const sizes = (those: ClaimedEmail[]) =>
        those.map(({ email: { id }, bytes }) => `${id} ${bytes}`).sort();
      expect(sizes(again)).toEqual(sizes(claimed));
      expect(again.flatMap(({ recipients }) => recipients.map(({ state }) => state))).toEqual([
        "pending",
        "pending",
      ]);
    });

    test("one that was retried by a clock that was ahead is due at once when that is set right", async () => {
      const { emails, emailQueue } = world().storage;
      const email = newEmail(world());
      await emails.insert([email]);
      const next = { status: "failed", settledAt: NOW } as const;
      await emailQueue.settle([resultOf(the((await claim())[0]), "failed", next)], NOW);
      expect(await emails.retry(world().workspaceId, email.id, NOW + 600_000)).toEqual({ bounces: 0 });
      expect(await claim()).toEqual([]);
      expect(await emailQueue.restoreDue(NOW)).toBe(1);
      expect(await claim()).toHaveLength(1);
    });

    test("nobody is retried who was cancelled or erased", async () => {
      const { storage, workspaceId } = world();
      const names = ["bob", "cy", "ada"].map((name) => ({
        ...{ kind: "to" as const, name, address: `${name}@example.com` },
      }));
      const email = newEmail(world(), { recipients: names.slice(1), dueAt: NOW - 9 });
      const other = newEmail(world(), { recipients: names.slice(0, 1), dueAt: NOW - 9 });
      await storage.emails.insert([email, other]);
      for (const claimed of await claim(NOW - 9)) {
        const result = resultOf(claimed, "failed", { status: "partially_sent", settledAt: NOW });
        const recipients = result.recipients.map((one) =>
          one.address.startsWith("cy@") ? { ...one, state: "accepted" as const } : one,
        );
        await storage.emailQueue.settle([{ ...result, recipients }], NOW);
      }
      const ada = { workspaceId, address: "ada@example.com", addressKey: "ada@example.com" };
      const found = await storage.recipients.emailsTo(ada, 0, 9);
      await storage.recipients.eraseEmails({ ...ada, erasedAs: "erased-0123abcd@invalid" }, found);
      expect(await storage.emails.retry(workspaceId, email.id, NOW)).toBeUndefined();
      expect(await storage.emails.find(workspaceId, email.id, NOW)).toMatchObject({
        status: "partially_sent",
      });
      expect(await storage.emails.retry(workspaceId, other.id, NOW)).toEqual({ bounces: 0 });
    });

    test("a retry forgets the bounces of those who are tried again, and no other report", async () => {
      const { storage, workspaceId } = world();
      const names = ["ada", "bob"].map((name) => ({
        ...{ kind: "to" as const, name, address: `${name}@example.com` },
      }));
      const email = newEmail(world(), { recipients: names });
      const other = newEmail(world(), { recipients: names });
      await storage.emails.insert([email, other]);
      const about = {
        class: "hard",
        category: "x",
        enhancedCode: undefined,
        reply: "",
        at: NOW,
        isBelieved: true,
      } as const;
      for (const claimed of await claim()) {
        const status = claimed.email.id === email.id ? "partially_sent" : "failed";
        const result = resultOf(claimed, "failed", { status, settledAt: NOW });
        const recipients = result.recipients.map((one, position) =>
          status === "partially_sent" && position === 0 ? { ...one, state: "accepted" as const } : one,
        );
        await storage.emailQueue.settle([{ ...result, recipients }], NOW);
        const { row } = claimed.lease;
        for (const position of recipients.keys())
          await storage.reports.note([
            { ...about, row, position, kind: "bounce", source: "dsn" },
            { ...about, row, position, kind: "complaint", source: "provider" },
          ]);
      }
      const reported = async ({ id }: { id: string }) =>
        (await storage.emails.history(id))?.reports.map(({ position, kind }) => `${position} ${kind}`).sort();
      expect(await storage.emails.retry(workspaceId, email.id, NOW)).toEqual({ bounces: 1 });
      expect(await reported(email)).toEqual(["0 bounce", "0 complaint", "1 complaint"]);
      expect(await reported(other)).toEqual(["0 bounce", "0 complaint", "1 bounce", "1 complaint"]);
    });

    test("a sensitive e-mail whose content is deleted can't be retried", async () => {
      const { storage, workspaceId } = world();
      const base = newEmail(world());
      const email = { ...base, isSensitive: true, payload: { ...base.payload, data: "sealed" } };
      await storage.emails.insert([email, newEmail(world(), { dueAt: NOW + 9 })]);
      const [claimed] = await claimAll(storage);
      if (claimed === undefined) throw new Error("There is none");
      const failed = resultOf(claimed, "failed", { status: "failed", settledAt: NOW }, { isSealed: true });
      await storage.emailQueue.settle([failed], NOW);
      expect(await storage.emails.retry(workspaceId, email.id, NOW)).toBeUndefined();
      const kept = await storage.emails.find(workspaceId, email.id, NOW);
      expect(kept).toMatchObject({ status: "failed", isSensitive: true });
    });
  });
}
