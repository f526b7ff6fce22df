import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
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

      let pieces = 0;
      while (await storage.workspaces.empty(workspaceId, 2)) pieces += 1;
      expect(pieces).toBe(2 * (many.length + 1) + 1);
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

    test("deletes a webhook's deliveries a few at a time, and no other's", async () => {
      const { storage, workspaceId, addWebhook, addWorkspace } = world();
      const [other, webhook] = [await addWebhook(), await addWebhook()];
      const deliveries = [webhook, webhook, webhook, other].map((of) => newDelivery(of));
      await storage.webhookDeliveries.insert(deliveries);
      const remove = () => storage.webhookDeliveries.removeSome(workspaceId, webhook.id, 2);
      const stranger = await addWorkspace("Other");
      expect(await storage.webhookDeliveries.removeSome(stranger, webhook.id, 2)).toBe(0);
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0]);
      const { items } = await storage.webhookDeliveries.list(workspaceId, other.id, slice);
      expect(items).toHaveLength(1);
    });
  });
};
