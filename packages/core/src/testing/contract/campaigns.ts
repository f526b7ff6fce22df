import { describe, expect, test } from "vitest";
import type { NewCampaign, Storage } from "../../ports/storage.ts";
import { NOW, newCampaign, newEmail, useSendingWorld } from "./sending-world.ts";

/**
 * The contract of campaigns: each change of state is one conditional update, a list has no duplicates, and a fence
 * excludes workers whose lease expired.
 */
export const describeCampaigns = (open: () => Promise<Storage>): void => {
  describe("campaigns", () => {
    const world = useSendingWorld(open);

    const fresh = (over: Partial<NewCampaign> = {}) => newCampaign(world(), over);
    const insert = (over?: Partial<NewCampaign>) => world().storage.campaigns.insert(fresh(over));
    const people = (...addresses: string[]) =>
      addresses.map((address) => ({ name: "", address, templateData: { for: address } }));
    const run = (id: number, lookAt = NOW) =>
      world().storage.campaigns.transition(id, ["draft"], { status: "running", lookAt, startedAt: NOW }, NOW);

    test("is stored as created, changed if its state allows, and not found from another workspace", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const made = await insert();
      expect(made).toMatchObject({ ...fresh(), status: "draft", recipients: 0, cursor: 0 });
      expect(await storage.campaigns.find(workspaceId, made.id)).toEqual(made);
      const other = await addWorkspace("Other");
      expect(await storage.campaigns.find(other, made.id)).toBeUndefined();
      const changes = { name: "SUMMER IN ÖREBRO 100% \\_!", from: undefined, scheduledAt: NOW + 5 };
      await storage.campaigns.update(made.id, changes, NOW + 1);
      expect(await storage.campaigns.find(workspaceId, made.id)).toEqual({
        ...made,
        ...changes,
        updatedAt: NOW + 1,
      });
      const [beside, theirs] = [
        await insert({ name: "Other" }),
        await insert({ name: changes.name, workspaceId: other }),
      ];
      const search = async (q: string) => {
        const { total, items } = await storage.campaigns.list({ workspaceId, q }, { offset: 0, limit: 10 });
        return [total, ...items.map(({ id }) => id)];
      };
      for (const q of ["SUM", "in örebro", "Ö", "0% \\", "\\_!"])
        expect(await search(q), q).toEqual([1, made.id]);
      for (const q of ["S_M", "%%", "!!", "\\!"]) expect(await search(q), q).toEqual([0]);
      await storage.campaigns.delete(made.id);
      expect(await storage.campaigns.find(workspaceId, made.id)).toBeUndefined();
      for (const left of [beside, theirs])
        expect(await storage.campaigns.find(left.workspaceId, left.id)).toEqual(left);
    });

    test("running ones and those due to start are found in all workspaces", async () => {
      const { campaigns } = world().storage;
      const [running, soon, late] = [await insert(), await insert(), await insert()];
      await insert();
      await run(running.id);
      const schedule = async (id: number, scheduledAt: number) => {
        await campaigns.update(id, { scheduledAt }, NOW);
        await campaigns.transition(id, ["draft"], { status: "scheduled", lookAt: scheduledAt }, NOW);
      };
      await schedule(soon.id, NOW + 1);
      await schedule(late.id, NOW + 2);
      expect((await campaigns.listGoing(NOW + 2)).map(({ id }) => id)).toEqual([running.id, soon.id]);
    });

    test("changes from one state to another once, also by concurrent callers", async () => {
      const { storage, workspaceId } = world();
      const { id } = await insert();
      const both = await Promise.all([run(id), run(id)]);
      expect(both.sort()).toEqual([false, true]);
      const pause = { status: "paused", pausedReason: "user", lookAt: undefined } as const;
      expect(await storage.campaigns.transition(id, ["running"], pause, NOW)).toBe(true);
      expect(await storage.campaigns.find(workspaceId, id)).toMatchObject({
        status: "paused",
        pausedReason: "user",
        startedAt: NOW,
      });
    });

    test("a change of state keeps the stylesheets pinned before, or clears them if it says so", async () => {
      const { storage, workspaceId } = world();
      const { id } = await insert();
      const stylesheetSetId = await storage.contents.putStylesheetSet("h1 { color: red }");
      const to = { status: "scheduled", lookAt: NOW } as const;
      const pinned = async () => (await storage.campaigns.find(workspaceId, id))?.stylesheetSetId;
      await storage.campaigns.transition(id, ["draft"], { ...to, stylesheetSetId }, NOW);
      await storage.campaigns.transition(id, ["scheduled"], to, NOW);
      expect(await pinned()).toBe(stylesheetSetId);
      await storage.campaigns.transition(id, ["scheduled"], { ...to, stylesheetSetId: undefined }, NOW);
      expect(await pinned()).toBeUndefined();
    });

    test("is claimed by one feeder at a time, and a stale one's writes change nothing", async () => {
      const { storage, workspaceId } = world();
      const { campaigns } = storage;
      const { id } = await insert();
      await campaigns.addRecipients(id, people("ada@a.example", "bob@a.example"));
      expect(await campaigns.take("one", NOW, 100)).toBeUndefined();
      await run(id, NOW + 1);
      expect(await campaigns.take("one", NOW, 100)).toBeUndefined();
      const first = await campaigns.take("one", NOW + 1, 99);
      expect(first).toMatchObject({ campaign: { id, status: "running" }, fence: 1, nextSlotAt: 0 });
      expect(await campaigns.take("two", NOW + 99, 100)).toBeUndefined();
      const second = await campaigns.take("two", NOW + 100, 100);
      expect(second?.fence).toBe(2);
      const emailId = "019b76da-a800-7000-8000-0000000000aa";
      const progress = {
        cursor: 1,
        nextSlotAt: NOW + 7,
        marks: [{ position: 1, state: "queued" as const, reason: "", emailId }],
      };
      expect(await campaigns.advance(id, 1, progress)).toBe(false);
      expect(await campaigns.advance(id, 2, progress)).toBe(true);
      const ofNobody = progress.marks.map((mark) => ({ ...mark, position: 99 }));
      expect(await campaigns.advance(id, 2, { ...progress, marks: ofNobody })).toBe(false);
      const listed = await campaigns.recipients(
        { id, workspaceId },
        { state: "settled" },
        { offset: 0, limit: 5 },
      );
      expect(listed.items).toMatchObject([{ address: "ada@a.example", emailId }]);
      expect(await campaigns.find(workspaceId, id)).toMatchObject({ cursor: 1 });
      await campaigns.release(id, 1, NOW, "running");
      expect(await campaigns.take("three", NOW + 150, 150)).toBeUndefined();
      await campaigns.release(id, 2, NOW + 120, "running");
      expect(await campaigns.take("three", NOW + 150, 150)).toMatchObject({
        fence: 3,
        nextSlotAt: NOW + 7,
      });
      await campaigns.transition(id, ["running"], { status: "paused", lookAt: undefined }, NOW);
      expect(await campaigns.advance(id, 3, { ...progress, cursor: 2, marks: [] })).toBe(false);
    });

    test("what a feeder does to one changes no other", async () => {
      const { storage, workspaceId } = world();
      const { campaigns } = storage;
      const [first, second] = [await insert(), await insert()];
      for (const { id } of [first, second]) await campaigns.addRecipients(id, people("a@a.example"));
      await run(second.id, NOW);
      await run(first.id, NOW - 1);
      expect(await campaigns.take("one", NOW, 100, [first.id, second.id])).toBeUndefined();
      const other = await campaigns.take("two", NOW, 100, [first.id]);
      const taken = await campaigns.take("one", NOW, 100);
      expect([taken, other].map((one) => one?.campaign.id)).toEqual([first.id, second.id]);
      const fence = taken?.fence ?? 0;
      expect(other?.fence).toBe(fence);
      const before = await campaigns.find(workspaceId, second.id);
      const marks = [{ position: 1, state: "skipped" as const, reason: "", emailId: undefined }];
      expect(await campaigns.advance(first.id, fence, { cursor: 1, nextSlotAt: NOW + 7, marks })).toBe(true);
      expect(await campaigns.renew(first.id, fence, NOW + 500)).toBe(true);
      expect(await campaigns.nextLookAt()).toBe(NOW + 100);
      await campaigns.delay(first.id, `c:${workspaceId}:${first.id}`, 1_000);
      await campaigns.release(first.id, fence, NOW + 60_000, "running");
      expect(await campaigns.nextLookAt()).toBe(NOW + 100);
      expect(await campaigns.find(workspaceId, second.id)).toEqual(before);
      const list = await campaigns.recipientsAfter(second.id, 0, { limit: 9, maxBytes: 999 });
      expect(list.map(({ state }) => state)).toEqual(["pending"]);
    });

    test("stays claimed as long as its feeder renews, and reports when it may be claimed", async () => {
      const { campaigns } = world().storage;
      expect(await campaigns.nextLookAt()).toBeUndefined();
      const { id } = await insert();
      await run(id, NOW + 5);
      expect(await campaigns.nextLookAt()).toBe(NOW + 5);
      const taken = await campaigns.take("one", NOW + 5, 100);
      expect(await campaigns.nextLookAt()).toBe(NOW + 105);
      expect(await campaigns.renew(id, taken?.fence ?? 0, NOW + 150)).toBe(true);
      expect(await campaigns.take("two", NOW + 149, 100)).toBeUndefined();
      const other = await campaigns.take("two", NOW + 150, 100);
      expect(other?.campaign.id).toBe(id);
      expect(await campaigns.renew(id, taken?.fence ?? 0, NOW + 900)).toBe(false);
      await campaigns.release(id, other?.fence ?? 0, NOW + 300, "running");
      expect(await campaigns.renew(id, other?.fence ?? 0, NOW + 900)).toBe(false);
      expect(await campaigns.nextLookAt()).toBe(NOW + 300);
    });

    test("is not delayed by a clock that was ahead", async () => {
      const { campaigns } = world().storage;
      const { id } = await insert();
      const hour = 3_600_000;
      await run(id, NOW + hour);
      await campaigns.take("ahead", NOW + hour, 100);
      // The clock is right again: neither the lease nor the look can be so far ahead.
      const taken = await campaigns.take("one", NOW, 100);
      expect(taken?.campaign.id).toBe(id);
      await campaigns.release(id, taken?.fence ?? 0, NOW + 60_000, "running");
      expect(await campaigns.take("two", NOW, 100)).toBeUndefined();
      const other = await insert();
      const to = { status: "scheduled", lookAt: NOW + hour } as const;
      await campaigns.transition(other.id, ["draft"], to, NOW);
      expect(await campaigns.take("two", NOW, 100)).toBeUndefined();
    });

    test("resumed while its feeder released it is looked at again", async () => {
      const { campaigns } = world().storage;
      const { id } = await insert();
      await run(id);
      await campaigns.transition(id, ["running"], { status: "paused", lookAt: undefined }, NOW);
      await campaigns.transition(id, ["paused"], { status: "running", lookAt: NOW }, NOW);
      const taken = await campaigns.take("one", NOW, 100);
      await campaigns.release(id, taken?.fence ?? 0, undefined, "running");
      expect((await campaigns.take("two", NOW, 100))?.campaign.id).toBe(id);
    });

    test("one that others changed while its feeder had it is looked at again when they say", async () => {
      const { campaigns } = world().storage;
      const { id } = await insert();
      await run(id);
      const fence = (await campaigns.take("one", NOW, 100))?.fence ?? 0;
      await campaigns.transition(id, ["running"], { status: "cancelled", lookAt: NOW + 7 }, NOW);
      for (const lookAt of [undefined, NOW + 60_000]) await campaigns.release(id, fence, lookAt, "running");
      expect(await campaigns.nextLookAt()).toBe(NOW + 7);
      await campaigns.release(id, fence, undefined, "cancelled");
      expect(await campaigns.nextLookAt()).toBeUndefined();
    });

    test("a pause delays its e-mails and its next slot by the same time, and no other's", async () => {
      const { storage, workspaceId } = world();
      const [{ id }, other] = [await insert(), await insert()];
      const [route, otherRoute] = [`c:${workspaceId}:${id}`, `c:${workspaceId}:${other.id}`];
      const mails = [route, otherRoute].map((on) => newEmail(world(), { route: on, dueAt: NOW + 1_000 }));
      await storage.emails.insert(mails);
      await storage.campaigns.delay(id, route, 5_000);
      const dueBefore = (time: number) => storage.emailQueue.listDue(time, 10);
      const [delayed, same] = mails.map((mail) => mail.id);
      expect(await dueBefore(NOW + 5_999)).toEqual([same]);
      expect((await dueBefore(NOW + 6_001)).toSorted()).toEqual([delayed, same].toSorted());
      await run(id);
      expect(await storage.campaigns.take("w", NOW, 1_000)).toMatchObject({
        ...{ nextSlotAt: 5_000, campaign: { pausedMs: 5_000 } },
      });
    });

    test("counts the results of its e-mails, and nothing for a deleted campaign", async () => {
      const { storage } = world();
      const { campaigns } = storage;
      const { id } = await insert();
      await campaigns.count([
        { campaignId: id, counter: "queued", by: 3 },
        { campaignId: id, counter: "sent", by: 1 },
        { campaignId: id, counter: "sent", by: 1 },
        { campaignId: id, counter: "opened", by: 1 },
        { campaignId: id, counter: "clicked", by: 1 },
        { campaignId: id + 1_000, counter: "sent", by: 1 },
      ]);
      const other = await insert();
      await campaigns.count([{ campaignId: id, counter: "queued", by: 2 }]);
      await campaigns.count([{ campaignId: other.id, counter: "queued", by: 7 }]);
      const counts = (await campaigns.counts([id])).get(id);
      expect(counts).toMatchObject({ queued: 5, sent: 2, opened: 1, clicked: 1, unsubscribed: 0 });
    });

    test("lists its waiting e-mails, and its content is kept as long as it exists", async () => {
      const { storage, workspaceId } = world();
      const contentId = await storage.contents.put({ subject: "Only here", html: "", text: "x" });
      const { id } = await insert({ contentId });
      const route = `c:${workspaceId}:${id}`;
      const mail = newEmail(world(), { route, campaignId: id });
      await storage.emails.insert([mail, newEmail(world())]);
      expect(await storage.campaigns.waiting(route, 10)).toEqual([mail.id]);
      expect((await storage.emails.find(workspaceId, mail.id, NOW))?.campaignId).toBe(id);
      await storage.campaigns.update(id, { contentId }, NOW);
      await storage.contents.deleteUnused(100);
      expect(await storage.contents.find(contentId)).toBeDefined();
      await storage.campaigns.delete(id);
      await storage.contents.deleteUnused(100);
      expect(await storage.contents.find(contentId)).toBeUndefined();
    });

    test("can reset what is judged, and its plan, when it continues", async () => {
      const { storage, workspaceId } = world();
      const { id, plan } = await insert();
      const to = {
        status: "running",
        lookAt: NOW,
        judgedFrom: { gone: 9, bounced: 3, complained: 0 },
      } as const;
      await storage.campaigns.transition(id, ["draft"], { ...to, plan: { ...plan, onMissing: "stop" } }, NOW);
      expect(await storage.campaigns.find(workspaceId, id)).toMatchObject({
        ...{ judgedFrom: to.judgedFrom, plan: { onMissing: "stop", tags: ["spring"] } },
      });
    });

    test("is deleted with its workspace", async () => {
      const { storage, workspaceId } = world();
      const { id } = await insert();
      await storage.campaigns.addRecipients(id, people("ada@a.example"));
      await storage.campaigns.count([{ campaignId: id, counter: "queued", by: 1 }]);
      await storage.workspaces.delete(workspaceId);
      expect(await storage.campaigns.find(workspaceId, id)).toBeUndefined();
    });
  });
};
