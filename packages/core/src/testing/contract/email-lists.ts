import { describe, expect, test } from "vitest";
import { campaignRoute, serversRoute } from "../../mail/rules/routes.ts";
import type { EmailFilter, Storage } from "../../ports/storage.ts";
import { claimAll, resultOf, the } from "./claims.ts";
import { listedIn, NOW, newEmail, useSendingWorld } from "./sending-world.ts";

/** The contract of the e-mail log's lists: filters, states and totals. */
export function describeEmailLists(open: () => Promise<Storage>): void {
  describe("lists of e-mails", () => {
    const world = useSendingWorld(open);
    const listed = listedIn(world);

    test("lists newest first, a page with the total", async () => {
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

    test("filters can be combined", async () => {
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

    test("a recipient is found in to, cc and bcc, once an e-mail and in the requested workspaces", async () => {
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

    test("e-mails are found by a tag and by all given metadata entries", async () => {
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

    test("an e-mail must have every label asked for, however rare each is", async () => {
      const { storage } = world();
      await storage.emails.insert([
        newEmail(world(), { subject: "both", tags: ["a"], metadata: { order: "7" } }),
        newEmail(world(), { subject: "tag", tags: ["a"], metadata: { order: "8" } }),
        newEmail(world(), { subject: "entry", tags: ["b"], metadata: { order: "7" } }),
      ]);
      expect(await listed({ tag: "a", metadata: { order: "7" } })).toEqual(["both"]);
    });

    test("a tag of nearly all e-mails works with pages and other filters, counted exactly", async () => {
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

    test("scheduled, queued and sending are distinguished by claim and time", async () => {
      const { storage, workspaceId } = world();
      const at = NOW + 60_000;
      await storage.emails.insert([
        newEmail(world(), {
          subject: "later",
          scheduledAt: at,
          dueAt: at,
          route: campaignRoute(workspaceId, 1),
        }),
        newEmail(world(), { subject: "now", createdAt: NOW + 1, route: serversRoute(workspaceId, [1, 0]) }),
      ]);
      expect(await listed({ status: "scheduled" })).toEqual(["later"]);
      expect(await listed({ status: "queued" })).toEqual(["now"]);
      expect(await listed({ status: "queued" }, at)).toEqual(["now", "later"]);
      expect(await listed({ status: "scheduled" }, at)).toEqual([]);
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

    test("each status finds its own e-mails", async () => {
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
        // Each filter: by status, by address, by tag, by date.
        for (const others of [
          {},
          { to },
          { tag: "rare" },
          { to, tag: "rare" },
          { from: NOW },
          { to, from: NOW },
          { to: "b@example.com" },
        ])
          for (const workspaceId of [world().workspaceId, "all" as const])
            expect(await listed({ status, workspaceId, ...others })).toEqual(
              others.to === "b@example.com" ? [] : [subject],
            );
      }
    });

    test("another workspace's e-mails of a status are neither listed nor counted", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const its = { workspaceId: other, route: `w:${other}` };
      const insert = async (dueAt = NOW) => {
        const email = newEmail(world(), { ...its, dueAt, scheduledAt: dueAt });
        await storage.emails.insert([email]);
        return email;
      };
      for (const status of ["failed", "sending"] as const) {
        await insert();
        const [claimed] = await claimAll(storage);
        if (status === "failed")
          await storage.emailQueue.settle(
            [resultOf(the(claimed), "failed", { status, settledAt: NOW + 5 })],
            NOW,
          );
      }
      await storage.emails.cancel(other, (await insert()).id, NOW);
      await insert();
      await insert(NOW + 60_000);
      for (const status of ["failed", "sending", "cancelled", "queued", "scheduled"] as const) {
        expect([status, await listed({ status })]).toEqual([status, []]);
        expect([status, (await listed({ status, workspaceId: other })).length]).toEqual([status, 1]);
      }
      expect((await storage.emails.list({ workspaceId }, { offset: 0, limit: 9 }, NOW)).total).toBe(0);
    });

    test("an e-mail cancelled before its time is found by its status and its recipient", async () => {
      const { storage, workspaceId } = world();
      const at = NOW + 60_000;
      const email = newEmail(world(), {
        subject: "later",
        scheduledAt: at,
        dueAt: at,
        recipients: [{ kind: "to", name: "", address: "ada@example.com" }],
      });
      await storage.emails.insert([email]);
      await storage.emails.cancel(workspaceId, email.id, NOW);
      for (const filter of [{}, { to: "ada@example.com" }, { from: NOW }])
        expect(await listed({ status: "cancelled", ...filter })).toEqual(["later"]);
    });

    test("waiting e-mails are counted until cancelled or claimed, and a retried one waits again", async () => {
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
      // To a clock ahead of the database's or behind it, or set back, a claimed e-mail may seem not yet due, and one sent.
      const taken = await claimAll(storage, { now: at });
      expect(await listed({ status: "scheduled" })).toEqual([]);
      expect(await listed({ status: "sending" })).toHaveLength(3);
      const results = taken.map((one) => resultOf(one, "accepted", { status: "sent", settledAt: at }));
      await storage.emailQueue.settle(results, at);
      for (const status of ["scheduled", "queued", "sending"] as const)
        expect(await listed({ status })).toEqual([]);
    });
  });
}
