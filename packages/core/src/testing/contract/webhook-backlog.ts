import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, newDelivery, useSendingWorld } from "./sending-world.ts";

/** The contract of what waits for webhooks. */
export function describeWebhookBacklog(open: () => Promise<Storage>): void {
  describe("the backlog of webhooks", () => {
    const world = useSendingWorld(open);

    test("lists endpoints with something due: those of each kind, whatever waits elsewhere", async () => {
      const { storage, workspaceId } = world();
      const [failing, good, paused, later] = await Promise.all([1, 2, 3, 4].map(() => world().addWebhook()));
      if (!failing || !good || !paused || !later) throw new Error("There are no webhooks");
      await storage.webhookDeliveries.insert([
        ...Array.from({ length: 50 }, () => newDelivery(failing, NOW - 1_000)),
        ...Array.from({ length: 3 }, () => newDelivery(good)),
        newDelivery(paused),
        newDelivery(later, NOW + 7),
      ]);
      await storage.webhooks.noteOutcome(failing.id, { failures: 1, pausedUntil: undefined, pace: 2 });
      await storage.webhooks.noteOutcome(paused.id, { failures: 1, pausedUntil: NOW + 5, pace: 1 });
      const look = (now: number) => storage.webhookDeliveries.look({ now, most: 4, limit: 9 });
      expect(await look(NOW)).toEqual([
        expect.objectContaining({
          webhookId: failing.id,
          isFailing: true,
          pace: 2,
          dueAt: NOW - 1_000,
          due: 4,
        }),
        expect.objectContaining({ webhookId: good.id, workspaceId, isFailing: false, dueAt: NOW, due: 3 }),
      ]);
      const another = await world().addWebhook();
      await storage.webhookDeliveries.insert([newDelivery(another, NOW - 1)]);
      const first = await storage.webhookDeliveries.look({ now: NOW, most: 4, limit: 1 });
      expect(first.map(({ webhookId }) => webhookId)).toEqual([failing.id, another.id]);
      const after = async (skip: number) =>
        (await storage.webhookDeliveries.look({ now: NOW, most: 4, limit: 1, skip })).map(
          ({ webhookId }) => webhookId,
        );
      expect(await after(1)).toEqual([failing.id, good.id]);
      expect(await after(2)).toEqual([failing.id, another.id]);
      await storage.webhooks.noteOutcome(good.id, { failures: 0, pausedUntil: undefined, pace: 0 });
      const apart = await storage.webhookDeliveries.look({ now: NOW, most: 4, limit: 1 });
      expect(apart.map(({ webhookId }) => webhookId)).toEqual([failing.id, another.id, good.id]);
      await storage.webhooks.delete(workspaceId, another.id);
      expect((await look(NOW + 5)).map(({ webhookId }) => webhookId)).toContain(paused.id);
      await storage.webhooks.delete(workspaceId, failing.id);
      await storage.webhooks.delete(workspaceId, good.id);
      expect(await storage.webhookDeliveries.nextDueAt()).toBe(NOW + 5);
      await storage.webhooks.noteOutcome(paused.id, { failures: 1, pausedUntil: NOW + 60_000, pace: 1 });
      expect(await storage.webhookDeliveries.nextDueAt()).toBe(NOW + 7);
    });

    test("begins behind the floors of webhooks that have one, and finds all before, between and behind these", async () => {
      const { webhookDeliveries } = world().storage;
      const hooks = await Promise.all([1, 2, 3, 4, 5, 6].map(() => world().addWebhook()));
      const late = hooks
        .slice(0, 5)
        .flatMap((hook) => [newDelivery(hook, NOW - 9), newDelivery(hook, NOW - 2)]);
      await webhookDeliveries.insert(late);
      const all = await webhookDeliveries.firsts();
      expect(all.map(({ dueAt }) => dueAt)).toEqual(Array.from({ length: 5 }, () => NOW - 9));
      const rows = all.map(({ row }) => row).sort((a, b) => a - b);
      const [second = 0, fourth = 0, fifth = 0] = [1, 3, 4].map((at) => rows[at]);
      const floors = [
        { row: fourth, since: NOW - 8 },
        { row: second, since: NOW - 9 },
        { row: fifth, since: NOW - 1 },
        { row: fifth + 1, since: NOW - 100 },
      ];
      const dueOf = (found: readonly { row: number; dueAt: number }[]) =>
        found.toSorted((a, b) => a.row - b.row).map(({ row, dueAt }) => [rows.indexOf(row), dueAt - NOW]);
      const behind = [0, 1, 2, 3].map((at) => [at, at === 3 ? -2 : -9]);
      expect(dueOf(await webhookDeliveries.firsts(floors))).toEqual(behind);
      const found = await webhookDeliveries.look({ now: NOW, most: 4, limit: 9, floors });
      expect(dueOf(found)).toEqual(behind);
      expect(found.map(({ due }) => due).toSorted()).toEqual([1, 2, 2, 2]);
      const ofAll = rows.map((row) => ({ row, since: NOW - 3 }));
      expect(await webhookDeliveries.nextDueAt(ofAll)).toBe(NOW - 2);
    });

    test("finds endpoints that work, fail and are switched off beside each other, these before anything is due", async () => {
      const { storage, workspaceId } = world();
      const [working, failing, off] = await Promise.all([1, 2, 3].map(() => world().addWebhook()));
      if (!working || !failing || !off) throw new Error("There are no webhooks");
      await storage.webhookDeliveries.insert([
        newDelivery(working),
        newDelivery(failing, NOW - 9),
        newDelivery(off, NOW + 7),
      ]);
      await storage.webhooks.noteOutcome(failing.id, { failures: 1, pausedUntil: undefined, pace: 0 });
      await storage.webhooks.update(workspaceId, off.id, { isActive: false, updatedAt: NOW });
      const look = async () =>
        (await storage.webhookDeliveries.look({ now: NOW, most: 4, limit: 1 })).map(
          ({ webhookId }) => webhookId,
        );
      expect(await look()).toEqual([failing.id, working.id, off.id]);
      await storage.webhookDeliveries.insert([newDelivery(off, NOW - 8)]);
      expect(await look()).toEqual([failing.id, off.id, working.id]);
    });

    test("of what is asked for, takes what is due alone", async () => {
      const { storage } = world();
      const webhook = await world().addWebhook();
      await storage.webhookDeliveries.insert([newDelivery(webhook), newDelivery(webhook, NOW + 1)]);
      const [endpoint] = await storage.webhookDeliveries.look({ now: NOW, most: 4, limit: 9 });
      const claim = (now: number) =>
        storage.webhookDeliveries.claim({
          ...{ wants: [{ row: endpoint?.row ?? 0, limit: 9 }], now, leaseMs: 1_000 },
        });
      expect(endpoint?.due).toBe(1);
      expect(await claim(NOW)).toHaveLength(1);
      expect(await claim(NOW)).toEqual([]);
      expect(await claim(NOW + 1)).toHaveLength(1);
    });

    test("of a clock that was ahead, what was released for later waits as long once it is set right", async () => {
      const { webhookDeliveries } = world().storage;
      await webhookDeliveries.insert([newDelivery(await world().addWebhook())]);
      const wants = (await webhookDeliveries.look({ now: NOW, most: 1, limit: 1 })).map(({ row }) => ({
        row,
        limit: 1,
      }));
      const claimed = await webhookDeliveries.claim({ wants, now: NOW, leaseMs: 30_000 });
      const leases = claimed.map(({ delivery, fence }) => ({ id: delivery.id, fence }));
      const ahead = NOW + 600_000;
      await webhookDeliveries.release(leases, ahead, ahead + 5_000);
      expect(await webhookDeliveries.restoreDue(NOW)).toBe(1);
      expect(await webhookDeliveries.nextDueAt()).toBe(NOW + 5_000);
    });

    test("lists what waits for each webhook, longest due first, and how its endpoint does", async () => {
      const { storage, workspaceId } = world();
      expect(await storage.webhookDeliveries.backlog(NOW, 9)).toEqual([]);
      const [later, failing, idle, off] = await Promise.all([1, 2, 3, 4].map(() => world().addWebhook()));
      if (!later || !failing || !idle || !off) throw new Error("There are no webhooks");
      await storage.webhookDeliveries.insert([
        newDelivery(later, NOW + 1),
        ...[-2_000, -1, 0, 1].map((after) => newDelivery(failing, NOW + after)),
        newDelivery(off, NOW - 1_000),
      ]);
      const outcome = { failures: 2, error: "timeout", pausedUntil: NOW + 9, pace: 2 };
      await storage.webhooks.noteOutcome(failing.id, outcome);
      await storage.webhooks.update(workspaceId, off.id, { isActive: false, updatedAt: NOW });
      const common = {
        workspaceId,
        url: failing.url,
        isActive: true,
        failuresInARow: 0,
        pace: 1,
        lastError: "",
      };
      const all = [
        {
          ...common,
          webhookId: failing.id,
          due: 3,
          waiting: 1,
          oldestDueAt: NOW - 2_000,
          failuresInARow: 2,
          pace: 2,
          pausedUntil: NOW + 9,
          lastError: "timeout",
        },
        { ...common, webhookId: off.id, isActive: false, due: 1, waiting: 0, oldestDueAt: NOW - 1_000 },
        { ...common, webhookId: later.id, due: 0, waiting: 1, oldestDueAt: undefined },
      ];
      expect(await storage.webhookDeliveries.backlog(NOW, 9)).toEqual(all);
      expect(await storage.webhookDeliveries.backlog(NOW, 1)).toEqual(all.slice(0, 1));
    });

    test("tells how many wait, and since when, to endpoints that work", async () => {
      const { storage, workspaceId } = world();
      const status = (now = NOW) => storage.webhookDeliveries.status(now);
      expect(await status()).toEqual({ pending: 0, oldestDueAt: undefined });
      const [failing, off, slow, good] = await Promise.all([1, 2, 3, 4].map(() => world().addWebhook()));
      if (!failing || !off || !slow || !good) throw new Error("There are no webhooks");
      await storage.webhooks.noteOutcome(slow.id, { failures: 0, pausedUntil: undefined, pace: 2 });
      await storage.webhookDeliveries.insert([
        newDelivery(slow, NOW - 4_000),
        newDelivery(failing, NOW - 3_000),
        newDelivery(off, NOW - 2_000),
        newDelivery(good, NOW - 1_000),
        newDelivery(good, NOW - 500),
        newDelivery(good, NOW + 500),
      ]);
      await storage.webhooks.noteOutcome(failing.id, { failures: 1, pausedUntil: undefined, pace: 1 });
      await storage.webhooks.update(workspaceId, off.id, { isActive: false, updatedAt: NOW });
      expect(await status()).toEqual({ pending: 6, oldestDueAt: NOW - 1_000 });
      expect(await status(NOW - 1_001)).toEqual({ pending: 6, oldestDueAt: undefined });
    });

    test("of many deliveries one is found, and one redelivered, in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const { webhookDeliveries } = storage;
      const stranger = await world().addWorkspace("Other");
      const [other, webhook] = [await world().addWebhook(), await world().addWebhook()];
      const [one, two] = [newDelivery(webhook), newDelivery(webhook)];
      await webhookDeliveries.insert([one, two]);
      const rows = (await webhookDeliveries.look({ now: NOW, most: 2, limit: 9 })).map(({ row }) => row);
      await webhookDeliveries.endWaiting({ rows, error: "off", now: NOW, limit: 9 });
      const { redeliver, find } = webhookDeliveries;
      expect(await redeliver(stranger, webhook.id, two.id, NOW)).toBe(false);
      expect(await redeliver(workspaceId, other.id, two.id, NOW)).toBe(false);
      expect(await redeliver(workspaceId, webhook.id, two.id, NOW)).toBe(true);
      expect(await find(workspaceId, webhook.id, one.id)).toMatchObject({ id: one.id, status: "failed" });
      expect(await find(workspaceId, undefined, two.id)).toMatchObject({ id: two.id, status: "pending" });
      expect(await find(workspaceId, other.id, two.id)).toBeUndefined();
    });
  });
}
