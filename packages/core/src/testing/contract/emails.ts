import { describe, expect, test } from "vitest";
import type { EmailFilter, Storage } from "../../ports/storage.ts";
import { claimAll, resultOf } from "./email-queue.ts";
import { NOW, newEmail, nextId, useSendingWorld } from "./sending-world.ts";

/** What an e-mail is inserted with and not found with. */
const notShown = ["recipients", "apiKeyId", "dueAt", "payload", "route"];

/** The contract of the e-mail log; that of the queue stands in `email-queue.ts`. */
export function describeEmails(open: () => Promise<Storage>): void {
  describe("e-mail log", () => {
    const world = useSendingWorld(open);

    async function listed(filter: Partial<EmailFilter>, now = NOW): Promise<string[]> {
      const { storage, workspaceId } = world();
      const page = { offset: 0, limit: 50 };
      const { items, total } = await storage.emails.list({ workspaceId, ...filter }, page, now);
      expect(total).toBe(items.length);
      return items.map(({ subject }) => subject);
    }

    test("an e-mail is found as it was inserted", async () => {
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
        lastCode: undefined,
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

    test("what is known of an e-mail beyond its row is told by where it stands", async () => {
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
      await storage.reports.note([{ ...report, ...said }]);
      const after = await storage.emails.history(waiting.id);
      expect(after).toMatchObject({ inHand: undefined, dueAt: undefined, settledAt: NOW + 5 });
      expect(after?.reports).toEqual([{ position: 0, kind: "bounce", class: "hard", ...said }]);
      expect((await storage.emails.attempts(waiting.id))[0]?.trace).toBe(trace);
      expect(await storage.emails.history(plain.id)).toMatchObject({ origin: {}, dueAt: NOW + 1 });
      expect(await storage.emails.history(nextId())).toBeUndefined();
    });

    test("lists newest first, a page of it with the length of the whole", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const subjects = ["1", "2", "3", "4", "5"];
      await storage.emails.insert(
        subjects.map((subject, index) => newEmail(world(), { subject, createdAt: NOW + index })),
      );
      await storage.emails.insert([newEmail(world(), { workspaceId: other })]);
      await storage.emails.insert([newEmail(world(), { workspaceId: undefined, apiKeyId: undefined })]);
      await storage.emails.insert([]);
      const page = await storage.emails.list({ workspaceId }, { offset: 1, limit: 2 }, NOW);
      expect(page.items.map(({ subject }) => subject)).toEqual(["4", "3"]);
      expect(page.total).toBe(5);
      const all = await storage.emails.list({ workspaceId: "all" }, { offset: 0, limit: 50 }, NOW);
      expect([all.items.length, all.total]).toEqual([6, 6]);
      expect((await storage.emails.list({ workspaceId: other }, { offset: 0, limit: 5 }, NOW)).total).toBe(1);
      const beyond = await storage.emails.list({ workspaceId }, { offset: 10, limit: 2 }, NOW);
      expect([beyond.items.length, beyond.total]).toEqual([0, 5]);
    });

    test("filters combine", async () => {
      const { storage } = world();
      const to = (address: string, kind: "to" | "cc" = "to") => [{ kind, name: "", address }];
      await storage.emails.insert([
        newEmail(world(), { subject: "1", template: "a", recipients: to("Ada@Example.com") }),
        newEmail(world(), {
          subject: "2",
          template: "b",
          recipients: to("ada@example.com"),
          createdAt: NOW + 1,
        }),
        newEmail(world(), {
          subject: "3",
          template: "a",
          recipients: to("ada@example.co"),
          createdAt: NOW + 2,
        }),
        newEmail(world(), {
          subject: "4",
          template: "a",
          createdAt: NOW + 3,
          recipients: [...to("bob@example.com"), ...to("ada@example.com", "cc"), ...to("ADA@example.com")],
        }),
      ]);
      expect(await listed({ to: "ADA@example.com" })).toEqual(["4", "2", "1"]);
      expect(await listed({ to: "ada@example.com", template: "a" })).toEqual(["4", "1"]);
      expect(await listed({ to: "da@example.com" })).toEqual([]);
      expect(await listed({ from: NOW + 1, until: NOW + 3 })).toEqual(["3", "2"]);
      expect(await listed({ template: "a", from: NOW + 1, to: "ada@example.co" })).toEqual(["3"]);
      expect(await listed({ template: "a", status: "sent" })).toEqual([]);
      expect(await listed({ template: "a", status: "queued", until: NOW + 1 })).toEqual(["1"]);
    });

    test("a recipient is found in to, cc and bcc, once an e-mail and in the workspace that is asked for", async () => {
      const { storage } = world();
      const other = await world().addWorkspace("Other");
      const ada = (...kinds: ("to" | "cc" | "bcc")[]) => ({
        recipients: [
          { kind: "to" as const, name: "", address: "bob@example.com" },
          ...kinds.map((kind) => ({ kind, name: "", address: "Ada@example.com" })),
        ],
      });
      await storage.emails.insert([
        newEmail(world(), { subject: "to", ...ada("to") }),
        newEmail(world(), { subject: "cc", ...ada("cc") }),
        newEmail(world(), { subject: "bcc", ...ada("bcc") }),
        newEmail(world(), { subject: "all", ...ada("to", "cc", "bcc") }),
        newEmail(world(), { subject: "none", ...ada() }),
        newEmail(world(), { subject: "other", workspaceId: other, ...ada("bcc") }),
        newEmail(world(), { subject: "own", workspaceId: undefined, apiKeyId: undefined, ...ada("to") }),
      ]);
      expect(await listed({ to: "ada@EXAMPLE.com" })).toEqual(["all", "bcc", "cc", "to"]);
      expect(await listed({ to: "ada@example.com", status: "queued" })).toEqual(["all", "bcc", "cc", "to"]);
      expect(await listed({ to: "ada@example.com", workspaceId: other })).toEqual(["other"]);
      const everywhere = { to: "ada@example.com", workspaceId: "all" } as const;
      expect(await listed(everywhere)).toEqual(["other", "all", "bcc", "cc", "to"]);
      expect((await storage.emails.list(everywhere, { offset: 3, limit: 1 }, NOW)).total).toBe(5);
    });

    test("e-mails are found by a tag and by entries of their metadata, all that are asked for", async () => {
      const { storage } = world();
      const other = await world().addWorkspace("Other");
      const long = "x".repeat(300);
      const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`k${at}`, at]));
      await storage.emails.insert([
        newEmail(world(), { subject: "1", tags: ["a", "b"], metadata: { order: 7, is: true, of: { x: 1 } } }),
        newEmail(world(), { subject: "2", tags: ["b"], metadata: { order: "7", note: long } }),
        newEmail(world(), { subject: "3", tags: ["a=b"], metadata: { "a=b": "c", a: "b=c", ...many } }),
        newEmail(world(), { subject: "other", workspaceId: other, tags: ["b"] }),
      ]);
      expect(await listed({ tag: "b" })).toEqual(["2", "1"]);
      expect(await listed({ tag: "b", workspaceId: "all" })).toEqual(["other", "2", "1"]);
      expect(await listed({ tag: "B" })).toEqual([]);
      expect(await listed({ metadata: { order: "7" } })).toEqual(["2", "1"]);
      expect(await listed({ tag: "b", metadata: { order: "7", is: "true" } })).toEqual(["1"]);
      expect(await listed({ metadata: { note: long } })).toEqual(["2"]);
      expect(await listed({ metadata: { note: `${long}y` } })).toEqual([]);
      expect(await listed({ metadata: { "a=b": "c" } })).toEqual(["3"]);
      expect(await listed({ metadata: { a: "b=c" } })).toEqual(["3"]);
      expect(await listed({ metadata: { k17: "17" } })).toEqual(["3"]);
      expect(await listed({ metadata: { k18: "18" } })).toEqual([]);
      expect(await listed({ tag: "b", status: "queued", from: NOW })).toEqual(["2", "1"]);
      expect(await listed({ tag: "b", status: "sent" })).toEqual([]);
    });

    test("a tag that nearly all e-mails have is found by pages and beside other filters, counted exactly", async () => {
      const { storage, workspaceId } = world();
      const all = Array.from({ length: 1_005 }, (_, at) =>
        newEmail(world(), {
          subject: String(at),
          tags: at < 1_002 ? ["all"] : ["few"],
          template: at < 2 ? "t" : "u",
        }),
      );
      await storage.emails.insert(all);
      for (const at of [0, 5, 1_003]) await storage.emails.cancel(workspaceId, all[at]?.id ?? "", NOW);
      const list = async (filter: Partial<EmailFilter>, offset = 0) => {
        const page = await storage.emails.list(
          { workspaceId, tag: "all", ...filter },
          { offset, limit: 2 },
          NOW,
        );
        return [page.items.map(({ subject }) => subject), page.total];
      };
      expect(await list({})).toEqual([["1001", "1000"], 1_002]);
      expect(await list({}, 1_000)).toEqual([["1", "0"], 1_002]);
      expect(await list({ status: "cancelled" })).toEqual([["5", "0"], 2]);
      expect(await list({ status: "queued" }, 998)).toEqual([["2", "1"], 1_000]);
      expect(await list({ status: "sent" })).toEqual([[], 0]);
      expect(await list({ template: "t" })).toEqual([["1", "0"], 2]);
    });

    test("scheduled, queued and sending are told apart by who has them and the time", async () => {
      const { storage, workspaceId } = world();
      const at = NOW + 60_000;
      await storage.emails.insert([
        newEmail(world(), { subject: "later", scheduledAt: at, dueAt: at }),
        newEmail(world(), { subject: "now", createdAt: NOW + 1 }),
      ]);
      expect(await listed({ status: "scheduled" })).toEqual(["later"]);
      expect(await listed({ status: "queued" })).toEqual(["now"]);
      expect(await listed({ status: "queued" }, at)).toEqual(["now", "later"]);
      const [claimed] = await claimAll(storage);
      expect(claimed?.email.status).toBe("sending");
      expect(await listed({ status: "sending" })).toEqual(["now"]);
      expect(await listed({ status: "queued" })).toEqual([]);
      const { items } = await storage.emails.list({ workspaceId }, { offset: 0, limit: 9 }, NOW);
      expect(items.map(({ status }) => status)).toEqual(["sending", "scheduled"]);
      const statusOf = async (id = "", now = NOW) =>
        (await storage.emails.find(workspaceId, id, now))?.status;
      expect(await statusOf(claimed?.email.id, NOW + 9e9)).toBe("sending");
      const later = items[1]?.id;
      expect(await statusOf(later, at - 1)).toBe("scheduled");
      expect(await statusOf(later, at)).toBe("queued");
    });

    test("what waits is rescheduled; what a worker has or is settled is not", async () => {
      const { storage, workspaceId } = world();
      const [waiting, taken] = [newEmail(world()), newEmail(world(), { dueAt: NOW - 5 })];
      await storage.emails.insert([waiting, taken]);
      await claimAll(storage, { now: NOW - 5 });
      const at = NOW + 60_000;
      const reschedule = (id: string, workspace = workspaceId) =>
        storage.emails.reschedule(workspace, id, at);
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

    test("cancelling is refused once a mail server may have taken it", async () => {
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
      // Unless whoever cancels knows better.
      const options = { evenInDoubt: true };
      expect(await storage.emails.cancel(workspaceId, email.id, NOW, options)).toBe("cancelled");
      expect((await storage.emails.find(workspaceId, email.id, NOW))?.status).toBe("cancelled");
    });

    test("what is due before a time is listed, the longest due first", async () => {
      const { storage } = world();
      const [late, soon, next] = [3, 1, 2].map((after) => newEmail(world(), { dueAt: NOW + after }));
      await storage.emails.insert([late, soon, next].flatMap((email) => email ?? []));
      const { emailQueue } = storage;
      expect(await emailQueue.listDue(NOW + 3, 9)).toEqual([soon?.id, next?.id]);
      expect(await emailQueue.listDue(NOW + 9, 1)).toEqual([soon?.id]);
      expect(await emailQueue.listDue(NOW, 9)).toEqual([]);
    });

    test("cancelling races claiming: each e-mail is either cancelled or claimed", async () => {
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

    test("what was sealed and is forgotten is not retried", async () => {
      const { storage, workspaceId } = world();
      const base = newEmail(world());
      const email = { ...base, isSensitive: true, payload: { ...base.payload, data: "sealed" } };
      await storage.emails.insert([email]);
      const [claimed] = await claimAll(storage);
      if (claimed === undefined) throw new Error("There is none");
      const failed = resultOf(claimed, "failed", { status: "failed", settledAt: NOW }, { isSealed: true });
      await storage.emailQueue.settle([failed], NOW);
      expect(await storage.emails.retry(workspaceId, email.id, NOW)).toBe(false);
      const kept = await storage.emails.find(workspaceId, email.id, NOW);
      expect(kept).toMatchObject({ status: "failed", isSensitive: true });
    });

    test("each status finds its own", async () => {
      const { storage, workspaceId } = world();
      const subjects = ["sent", "failed", "partially_sent", "cancelled", "queued", "sending"];
      const to = "ada@example.com";
      const recipients = [{ kind: "to" as const, name: "", address: to }];
      const emails = subjects.map((subject, at) =>
        newEmail(world(), { subject, dueAt: NOW + at, recipients, tags: ["rare"] }),
      );
      await storage.emails.insert(emails);
      const claimed = await claimAll(storage, { now: NOW + 2 });
      const settle = (status: "sent" | "failed" | "partially_sent", at: number) => {
        const one = claimed[at];
        if (one === undefined) throw new Error("There is none");
        return resultOf(one, status === "failed" ? "failed" : "accepted", { status, settledAt: NOW + 5 });
      };
      const results = [settle("sent", 0), settle("failed", 1), settle("partially_sent", 2)];
      await storage.emailQueue.settle(results, NOW);
      await storage.emails.cancel(workspaceId, emails[3]?.id ?? "", NOW);
      const { emailQueue } = storage;
      const wants = [{ route: `w:${workspaceId}`, lane: 1 as const, since: NOW + 5, limit: 1 }];
      await emailQueue.claim({ wants, now: NOW + 5, leaseMs: 1, worker: "w", maxBytes: 1e9 });
      for (const subject of subjects) {
        const status = subject as EmailFilter["status"];
        // Each way to look for them: by status, by address, by tag.
        for (const others of [{}, { to }, { tag: "rare" }, { to, tag: "rare" }, { to: "b@example.com" }])
          for (const workspaceId of [world().workspaceId, "all" as const])
            expect(await listed({ status, workspaceId, ...others })).toEqual(
              others.to === "b@example.com" ? [] : [subject],
            );
      }
    });

    test("what is planned is counted as long as nobody cancels or takes it, and a retried one waits again", async () => {
      const { storage, workspaceId } = world();
      const at = NOW + 60_000;
      const planned = ["1", "2", "3"].map((subject) =>
        newEmail(world(), { subject, scheduledAt: at, dueAt: at }),
      );
      const failing = newEmail(world(), { subject: "failing" });
      await storage.emails.insert([...planned, failing]);
      await storage.emails.cancel(workspaceId, planned[1]?.id ?? "", NOW);
      expect(await listed({ status: "scheduled" })).toEqual(["3", "1"]);
      const [claimed] = await claimAll(storage);
      if (claimed === undefined) throw new Error("There is none");
      expect(await listed({ status: "queued" })).toEqual([]);
      const failed = resultOf(claimed, "failed", { status: "failed", settledAt: NOW + 5 });
      await storage.emailQueue.settle([failed], NOW);
      expect(await listed({ status: "failed" })).toEqual(["failing"]);
      await storage.emails.retry(workspaceId, failing.id, NOW);
      expect(await listed({ status: "failed" })).toEqual([]);
      expect(await listed({ status: "queued" })).toEqual(["failing"]);
      expect((await storage.emails.deleteBefore(workspaceId, NOW + 1, 9)).removed).toBe(1);
      expect(await listed({ status: "cancelled" })).toEqual([]);
      expect(await listed({ status: "scheduled" })).toEqual(["3", "1"]);
      // By a clock that runs ahead of the database's, or behind it, one in hand may seem to be before its time.
      await claimAll(storage, { now: at });
      expect(await listed({ status: "scheduled" })).toEqual([]);
      expect(await listed({ status: "sending" })).toHaveLength(3);
    });

    test("old settled e-mails of a workspace are removed, a bounded number at a time", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const old = Array.from({ length: 3 }, () => newEmail(world(), { createdAt: NOW - 2 }));
      const waiting = newEmail(world(), { createdAt: NOW - 2, subject: "waiting" });
      const foreign = newEmail(world(), { createdAt: NOW - 2, workspaceId: other });
      await storage.emails.insert([...old, waiting, foreign]);
      for (const { id } of old) await storage.emails.cancel(workspaceId, id, NOW);
      await storage.emails.cancel(other, foreign.id, NOW);
      expect((await storage.emails.deleteBefore(workspaceId, NOW - 2, 9)).removed).toBe(0);
      expect((await storage.emails.deleteBefore(workspaceId, NOW, 2)).removed).toBe(2);
      expect((await storage.emails.deleteBefore(workspaceId, NOW, 2)).removed).toBe(1);
      expect((await storage.emails.deleteBefore(workspaceId, NOW, 2)).removed).toBe(0);
      expect(await listed({})).toEqual(["waiting"]);
      expect(await storage.emails.recipients(old[0]?.id ?? "")).toEqual([]);
      expect(await storage.emails.attempts(old[0]?.id ?? "")).toEqual([]);
      expect(await listed({ workspaceId: other })).toEqual(["Hello"]);
    });
  });
}
