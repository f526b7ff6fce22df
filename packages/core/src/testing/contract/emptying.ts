import { describe, expect, test } from "vitest";
import type { EmptiedTo, Storage } from "../../ports/storage.ts";
import { NOW, newCampaign, newDelivery, newEmail, useSendingWorld } from "./sending-world.ts";
import { openLists } from "./walked-lists.ts";

/** The contract of tables with very many rows: they are deleted in pieces before the row that they belong to. */
export const describeEmptying = (open: () => Promise<Storage>): void => {
  describe("emptying", () => {
    const world = useSendingWorld(open);
    const slice = { offset: 0, limit: 10 };

    test("deletes a workspace's many rows, a few at a time, and no other's", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const lists = await openLists(world());
      const many = [lists["e-mails"], lists.suppressions, lists.reports, lists.deliveries];
      const others = await addWorkspace("Other");
      const kept = newEmail(world(), { workspaceId: others });
      // Among the workspace's in the order of ids, by which stretches are removed as such.
      await lists["e-mails"].add();
      await storage.emails.insert([kept]);
      for (const list of many) for (let n = 0; n < 3; n++) await list.add();
      const { campaigns } = storage;
      const campaign = await campaigns.insert(newCampaign(world()));
      const people = ["a", "b", "c"].map((name) => ({
        name,
        address: `${name}@a.example`,
        templateData: {},
      }));
      await campaigns.addRecipients(campaign.id, people);
      await storage.dedupeKeys.reserve([{ workspaceId, key: "a", emailId: kept.id, createdAt: NOW }]);

      const pieces: number[] = [];
      let from: EmptiedTo | undefined;
      do {
        const { removed, next } = await storage.workspaces.empty(workspaceId, 2, from);
        pieces.push(removed);
        from = next;
      } while (from !== undefined);
      // Four e-mails, three of each other list, and one key.
      expect(pieces).toEqual([2, 2, ...[...many.slice(1), campaign].flatMap(() => [2, 1]), 1, 0]);
      expect(await Promise.all(many.map(async (list) => (await list.list(slice)).total))).toEqual([
        0, 0, 0, 0,
      ]);
      expect((await campaigns.recipients(campaign, {}, slice)).total).toBe(0);
      expect(await storage.emailQueue.claims()).toEqual([]);
      expect(
        await storage.dedupeKeys.reserve([{ workspaceId, key: "a", emailId: "b", createdAt: NOW }]),
      ).toEqual([undefined]);
      expect(await storage.workspaces.find(workspaceId)).toMatchObject({ name: "Acme" });
      expect(await storage.workspaces.delete(workspaceId)).toBe(true);
      expect((await storage.emails.list({ workspaceId: others }, slice, NOW)).items).toMatchObject([
        { id: kept.id },
      ]);
      expect(await storage.emails.recipients(kept.id)).toHaveLength(1);
      expect(await storage.emailQueue.listDue(NOW + 1, 9)).toEqual([kept.id]);
    });

    test("goes on from where the piece before ended, so that what is added behind it is left to the next round", async () => {
      const { storage, workspaceId } = world();
      const reserve = (key: string) =>
        storage.dedupeKeys.reserve([{ workspaceId, key, emailId: key, createdAt: NOW }]);
      await reserve("b");
      const { removed, next } = await storage.workspaces.empty(workspaceId, 2);
      expect(removed).toBe(1);
      await reserve("a");
      await reserve("c");
      const { removed: later, next: end } = await storage.workspaces.empty(workspaceId, 2, next);
      expect(later).toBe(1);
      expect(await storage.workspaces.empty(workspaceId, 2, end)).toEqual({ removed: 0, next: undefined });
      expect(await storage.workspaces.empty(workspaceId, 2)).toMatchObject({ removed: 1 });
      expect(await reserve("a")).toEqual([undefined]);
    });

    test("deletes a webhook's deliveries a few at a time, and no other's", async () => {
      const { storage, workspaceId, addWebhook, addWorkspace } = world();
      const [other, webhook] = [await addWebhook(), await addWebhook()];
      const deliveries = [webhook, webhook, webhook, other].map((of) => newDelivery(of));
      await storage.webhookDeliveries.insert(deliveries);
      const remove = (after: number) =>
        storage.webhookDeliveries.removeSome(workspaceId, webhook.id, 2, after);
      const none = { removed: 0, next: undefined };
      const stranger = await addWorkspace("Other");
      expect(await storage.webhookDeliveries.removeSome(stranger, webhook.id, 2, 0)).toEqual(none);
      const { removed, next = 0 } = await remove(0);
      expect(removed).toBe(2);
      expect(await remove(next + 9)).toEqual(none);
      expect(await remove(next)).toEqual({ removed: 1, next: undefined });
      expect(await remove(0)).toEqual(none);
      const { items } = await storage.webhookDeliveries.list(workspaceId, other.id, slice);
      expect(items).toHaveLength(1);
    });
  });
};
