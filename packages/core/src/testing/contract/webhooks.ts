import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, newDelivery, useSendingWorld } from "./sending-world.ts";

/** The contract of `Webhooks`. */
export function describeWebhooks(open: () => Promise<Storage>): void {
  describe("webhooks", () => {
    const world = useSendingWorld(open);

    test("a webhook is found as created, in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const made = await world().addWebhook({
        events: ["email.sent", "email.failed"],
        filters: ["a@b.example"],
      });
      expect(made).toEqual({
        id: made.id,
        workspaceId,
        url: "https://hooks.example.com/",
        events: ["email.sent", "email.failed"],
        filters: ["a@b.example"],
        isActive: true,
        secret: "sealed",
        formerSecret: undefined,
        formerSecretUntil: undefined,
        exhaustedInARow: 0,
        failuresInARow: 0,
        pace: 1,
        pausedUntil: undefined,
        createdAt: NOW,
        updatedAt: NOW,
      });
      expect(await storage.webhooks.find(workspaceId, made.id)).toEqual(made);
      expect(await storage.webhooks.find(other, made.id)).toBeUndefined();
      expect(await storage.webhooks.update(other, made.id, { url: "x", updatedAt: NOW })).toBeUndefined();
      expect(await storage.webhooks.delete(other, made.id)).toBeUndefined();
      expect(await storage.webhooks.list(other)).toEqual([]);
    });

    test("lists newest first; the active ones of many workspaces at once", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const a = await world().addWebhook();
      const b = await world().addWebhook({ createdAt: NOW + 1, isActive: false });
      const c = await world().addWebhook({ workspaceId: other });
      expect((await storage.webhooks.list(workspaceId)).map(({ id }) => id)).toEqual([b.id, a.id]);
      const active = await storage.webhooks.listActive([workspaceId, other]);
      expect(active.map(({ id }) => id).sort()).toEqual([a.id, c.id].sort());
      expect((await storage.webhooks.listActive([other])).map(({ id }) => id)).toEqual([c.id]);
      expect(await storage.webhooks.listActive([])).toEqual([]);
    });

    test("changes the given fields only; undefined clears the former secret", async () => {
      const { storage, workspaceId } = world();
      const { id } = await world().addWebhook();
      const rotated = await storage.webhooks.update(workspaceId, id, {
        secret: "new",
        formerSecret: "sealed",
        formerSecretUntil: NOW + 5,
        updatedAt: NOW + 1,
      });
      expect(rotated).toMatchObject({ secret: "new", formerSecret: "sealed", formerSecretUntil: NOW + 5 });
      const changed = await storage.webhooks.update(workspaceId, id, {
        isActive: false,
        events: ["email.sent"],
        formerSecret: undefined,
        updatedAt: NOW + 2,
      });
      expect(changed).toEqual({
        ...rotated,
        isActive: false,
        events: ["email.sent"],
        formerSecret: undefined,
        updatedAt: NOW + 2,
      });
    });

    test("what is written of one webhook changes no other", async () => {
      const { storage, workspaceId } = world();
      const { webhooks } = storage;
      const bystander = await world().addWebhook();
      await webhooks.countExhausted(bystander.id, true);
      await webhooks.noteOutcome(bystander.id, { failures: 3, pausedUntil: NOW + 9, pace: 2 });
      const before = await webhooks.find(workspaceId, bystander.id);
      expect(before).toMatchObject({ exhaustedInARow: 1, failuresInARow: 3 });
      const webhook = await world().addWebhook();
      expect(await webhooks.countExhausted(webhook.id, true)).toBe(1);
      expect(await webhooks.countExhausted(webhook.id, false)).toBe(0);
      await webhooks.noteOutcome(webhook.id, { failures: 1, pausedUntil: undefined, pace: 2 });
      await webhooks.noteOutcome(webhook.id, { failures: 0, pausedUntil: undefined, pace: 0 });
      const changes = {
        url: "https://hooks.example.com/new",
        filters: ["c@d.example"],
        exhaustedInARow: 4,
        failuresInARow: 5,
        pace: 2,
        pausedUntil: NOW + 6,
        updatedAt: NOW + 7,
      };
      expect(await webhooks.update(workspaceId, webhook.id, changes)).toEqual({ ...webhook, ...changes });
      for (const read of [webhooks.find, webhooks.lock]) {
        expect(await read(workspaceId, webhook.id)).toEqual({ ...webhook, ...changes });
        expect(await read(workspaceId, bystander.id)).toEqual(before);
      }
    });

    test("counts exhausted deliveries in a row, also at once", async () => {
      const { webhooks } = world().storage;
      const { id } = await world().addWebhook();
      const counts = await Promise.all(Array.from({ length: 5 }, () => webhooks.countExhausted(id, true)));
      expect(counts.sort()).toEqual([1, 2, 3, 4, 5]);
      expect(await webhooks.countExhausted(id, false)).toBe(0);
      expect(await webhooks.countExhausted(id, true)).toBe(1);
    });

    test("records the results of attempts", async () => {
      const { storage, workspaceId } = world();
      const { id } = await world().addWebhook();
      const find = () => storage.webhooks.find(workspaceId, id);
      await storage.webhooks.noteOutcome(id, { failures: 2, pausedUntil: NOW + 9, pace: 1 });
      await storage.webhooks.noteOutcome(id, { failures: 1, pausedUntil: undefined, pace: 2 });
      expect(await find()).toMatchObject({
        failuresInARow: 3,
        pausedUntil: NOW + 9,
        pace: 2,
        updatedAt: NOW,
      });
      await storage.webhooks.endPauses(NOW + 9);
      expect(await find()).toMatchObject({ pausedUntil: NOW + 9 });
      await storage.webhooks.endPauses(NOW);
      expect(await find()).toMatchObject({ failuresInARow: 3, pausedUntil: undefined });
      await storage.webhooks.noteOutcome(id, { failures: 1, pausedUntil: NOW + 9, pace: 2 });
      await storage.webhooks.noteOutcome(id, { failures: 0, pausedUntil: undefined, pace: 0 });
      expect(await find()).toMatchObject({ failuresInARow: 0, pausedUntil: undefined, pace: 0 });
    });

    test("deleting a webhook deletes its deliveries, and no other's", async () => {
      const { storage, workspaceId } = world();
      const [bystander, webhook] = [await world().addWebhook(), await world().addWebhook()];
      await storage.webhookDeliveries.insert([newDelivery(webhook), newDelivery(bystander, NOW + 9)]);
      expect(await storage.webhooks.delete(workspaceId, webhook.id)).toEqual(webhook);
      expect(await storage.webhooks.find(workspaceId, webhook.id)).toBeUndefined();
      expect(await storage.webhookDeliveries.nextDueAt()).toBe(NOW + 9);
      expect(await storage.webhooks.delete(workspaceId, bystander.id)).toEqual(bystander);
      expect(await storage.webhookDeliveries.nextDueAt()).toBeUndefined();
    });
  });
}
