import { describe, expect, test } from "vitest";
import { campaignRoute } from "../../mail/rules/routes.ts";
import type { Storage } from "../../ports/storage.ts";
import { NOW, newCampaign, newEmail, useSendingWorld } from "./sending-world.ts";

/** The contract of campaigns' lists: no duplicates, and each recipient with a state. */
export const describeCampaignRecipients = (open: () => Promise<Storage>): void => {
  describe("campaigns' recipients", () => {
    const world = useSendingWorld(open);

    const insert = () => world().storage.campaigns.insert(newCampaign(world()));
    const people = (...addresses: string[]) =>
      addresses.map((address) => ({ name: "", address, templateData: { for: address } }));
    const run = (id: number) =>
      world().storage.campaigns.transition(
        id,
        ["draft"],
        { status: "running", lookAt: NOW, startedAt: NOW },
        NOW,
      );

    test("has nobody on its list twice, ignoring case, and reads it in order within limits", async () => {
      const { storage } = world();
      const { campaigns } = storage;
      const campaign = await insert();
      const { id } = campaign;
      expect(
        await campaigns.addRecipients(id, people("ada@a.example", "ADA@a.example", "bob@a.example")),
      ).toBe(2);
      expect(await campaigns.addRecipients(id, people("Bob@A.example", "cy@a.example"))).toBe(1);
      const all = await campaigns.recipientsAfter(id, 0, { limit: 10, maxBytes: 10_000 });
      expect(all.map(({ address, state }) => [address, state])).toEqual([
        ["ada@a.example", "pending"],
        ["bob@a.example", "pending"],
        ["cy@a.example", "pending"],
      ]);
      expect(all[1]?.templateData).toEqual({ for: "bob@a.example" });
      const second = all[1]?.position ?? 0;
      expect(await campaigns.recipientsAfter(id, 0, { limit: 10, maxBytes: 1 })).toEqual(all.slice(0, 1));
      expect(await campaigns.recipientsAfter(id, second, { limit: 1, maxBytes: 99 })).toEqual(all.slice(2));
      const found = await campaigns.recipients(
        campaign,
        { q: "BOB", state: "pending" },
        { offset: 0, limit: 5 },
      );
      const { templateData: _, ...bob } = all[1] ?? { templateData: {} };
      expect([found.total, found.items]).toEqual([1, [bob]]);
    });

    test("of callers who add to one list at once, each adds who is not on it, and another's count stays", async () => {
      const { storage, workspaceId } = world();
      const { campaigns } = storage;
      const [{ id }, other] = [await insert(), await insert()];
      await campaigns.addRecipients(other.id, people("ada@a.example"));
      const added = await Promise.all(
        ["a", "b", "c", "d"].map((name) =>
          campaigns.addRecipients(id, people(`${name}@a.example`, "all@a.example")),
        ),
      );
      expect(added.toSorted()).toEqual([1, 1, 1, 2]);
      expect((await campaigns.find(workspaceId, id))?.recipients).toBe(5);
      expect(await campaigns.recipientsAfter(id, 0, { limit: 9, maxBytes: 999 })).toHaveLength(5);
      expect((await campaigns.find(workspaceId, other.id))?.recipients).toBe(1);
    });

    test("reads as many values at once as fit in their bytes, whatever the alphabet", async () => {
      const { campaigns } = world().storage;
      const { id } = await insert();
      const greek = ["a@a.example", "b@a.example"].map((address) => ({
        name: "",
        address,
        templateData: { for: "λ".repeat(100) },
      }));
      await campaigns.addRecipients(id, greek);
      expect(await campaigns.recipientsAfter(id, 0, { limit: 9, maxBytes: 300 })).toHaveLength(1);
      expect(await campaigns.recipientsAfter(id, 0, { limit: 9, maxBytes: 500 })).toHaveLength(2);
    });

    test("deletes its list in pieces, and with itself", async () => {
      const { campaigns } = world().storage;
      const [campaign, other] = [await insert(), await insert()];
      const { id } = campaign;
      await campaigns.addRecipients(
        id,
        people(...Array.from({ length: 1_003 }, (_, n) => `p${n}@a.example`)),
      );
      await campaigns.addRecipients(other.id, people("ada@a.example"));
      const first = await campaigns.removeRecipients(id, 2, 0);
      expect(first.removed).toBe(2);
      const left = await campaigns.recipients(campaign, {}, { offset: 0, limit: 1 });
      expect([left.total, left.items[0]?.address]).toEqual([1_001, "p2@a.example"]);
      const second = await campaigns.removeRecipients(id, 2, (first.next ?? 0) + 1);
      expect(second.removed).toBe(2);
      const { items } = await campaigns.recipients(campaign, {}, { offset: 0, limit: 2 });
      expect(items.map(({ address }) => address)).toEqual(["p2@a.example", "p5@a.example"]);
      await campaigns.delete(id);
      expect(await campaigns.removeRecipients(id, 9, 0)).toEqual({ removed: 0, next: undefined });
      expect((await campaigns.recipients(other, {}, { offset: 0, limit: 1 })).total).toBe(1);
    });

    test("cancels unprocessed recipients, in pieces", async () => {
      const { storage } = world();
      const { campaigns } = storage;
      const [other, campaign] = [await insert(), await insert()];
      const { id } = campaign;
      for (const list of [other.id, id])
        await campaigns.addRecipients(
          list,
          people("a@a.example", "b@a.example", "c@a.example", "d@a.example"),
        );
      await run(id);
      const taken = await campaigns.take("one", NOW, 100);
      const marks = [{ position: 1, state: "skipped" as const, reason: "suppressed", emailId: undefined }];
      await campaigns.advance(id, taken?.fence ?? 0, { cursor: 1, nextSlotAt: 0, marks });
      expect(await campaigns.cancelPending(id, 2)).toBe(2);
      expect(await campaigns.cancelPending(id, 2)).toBe(1);
      expect(await campaigns.cancelPending(id, 2)).toBe(0);
      const { items } = await campaigns.recipients(campaign, {}, { offset: 0, limit: 10 });
      expect(items.map(({ state }) => state)).toEqual(["skipped", "cancelled", "cancelled", "cancelled"]);
      const pending = { state: "pending" } as const;
      expect((await campaigns.recipients(other, pending, { offset: 0, limit: 10 })).total).toBe(4);
      expect(await campaigns.cancelPending(other.id, 9)).toBe(4);
    });

    test("of feeders that take at once, each gets another campaign", async () => {
      const { campaigns } = world().storage;
      const ids = [(await insert()).id, (await insert()).id, (await insert()).id];
      for (const id of ids) await run(id);
      const takers = Array.from({ length: 8 }, (_, at) => campaigns.take(`w${at}`, NOW, 100));
      const taken = (await Promise.all(takers)).flatMap((one) => one?.campaign.id ?? []);
      for (let more = await campaigns.take("w", NOW, 100); more; more = await campaigns.take("w", NOW, 100))
        taken.push(more.campaign.id);
      expect(taken.sort((a, b) => a - b)).toEqual(ids);
    });

    test("lists a recipient with the outcome of the e-mail, and as settled once it has one or is removed", async () => {
      const { campaigns, emails } = world().storage;
      const campaign = await insert();
      const { id } = campaign;
      const list = people("waits@a.example", "none@a.example", "removed@a.example", "pending@a.example");
      await campaigns.addRecipients(id, list);
      await run(id);
      const refused = { kind: "to", name: "", address: "none@a.example", suppressedBy: "bounce" } as const;
      const route = campaignRoute(campaign.workspaceId, id);
      const mails = [
        newEmail(world(), { campaignId: id, route }),
        newEmail(world(), { campaignId: id, route, recipients: [refused] }),
      ];
      await emails.insert(mails);
      const emailIds = [...mails.map((mail) => mail.id), "019b76da-a800-7000-8000-0000000000aa"];
      const marks = emailIds.map((emailId, index) => ({
        ...{ position: index + 1, state: "queued" as const, reason: "", emailId },
      }));
      const taken = await campaigns.take("one", NOW, 100);
      await campaigns.advance(id, taken?.fence ?? 0, { cursor: 3, nextSlotAt: 0, marks });
      const found = async (filter: Parameters<typeof campaigns.recipients>[1]) => {
        const { items, total } = await campaigns.recipients(campaign, filter, { offset: 0, limit: 9 });
        const behind = await campaigns.recipients(campaign, filter, { offset: 9, limit: 9 });
        expect([total, behind.total]).toEqual([items.length, items.length]);
        return items.map(({ address, state, emailStatus }) => [address.split("@")[0], state, emailStatus]);
      };
      const none = ["none", "settled", "suppressed"];
      const removed = ["removed", "settled", undefined];
      expect(await found({})).toEqual([
        ["waits", "queued", undefined],
        none,
        removed,
        ["pending", "pending", undefined],
      ]);
      const far = await campaigns.recipients(campaign, {}, { offset: 1, limit: 2 });
      expect(far.items.map(({ emailStatus }) => emailStatus)).toEqual(["suppressed", undefined]);
      expect(far).toMatchObject({ total: 4, after: { key: 3 } });
      const waits = [["waits", "queued", undefined]];
      expect(await found({ state: "queued" })).toEqual(waits);
      expect(await found({ state: "settled" })).toEqual([none, removed]);
      expect(await found({ state: "settled", q: "none" })).toEqual([none]);
      expect(await found({ emailStatus: "suppressed" })).toEqual([none]);
      expect(await found({ state: "settled", emailStatus: "suppressed" })).toEqual([none]);
      expect(await found({ state: "queued", emailStatus: "suppressed" })).toEqual([]);
      for (const emailStatus of ["sent", "failed"] as const) expect(await found({ emailStatus })).toEqual([]);
      const wants = [{ route, lane: 1 as const, since: 0, limit: 9 }];
      const claim = { worker: "w", now: NOW, leaseMs: 60_000, maxBytes: 10_000, wants };
      expect(await world().storage.emailQueue.claim(claim)).toHaveLength(1);
      expect(await found({ state: "queued" })).toEqual(waits);
      expect(await found({ state: "settled" })).toEqual([none, removed]);
    });
  });
};
