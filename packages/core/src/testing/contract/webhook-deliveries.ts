import { describe, expect, test } from "vitest";
import type { ClaimedDelivery, DeliveryResult, Storage } from "../../ports/storage.ts";
import { NOW, newDelivery, useSendingWorld } from "./sending-world.ts";

const LEASE = 30_000;
const byWebhook = (claimed: ClaimedDelivery[], webhookId: string) =>
  claimed.filter(({ webhook }) => webhook.id === webhookId).length;

/** The contract of `WebhookDeliveries`. */
export function describeWebhookDeliveries(open: () => Promise<Storage>): void {
  describe("webhook deliveries", () => {
    const world = useSendingWorld(open);

    function claim(over: { limit?: number; perWebhook?: number; busy?: string[]; now?: number } = {}) {
      const { webhookDeliveries } = world().storage;
      return webhookDeliveries.claimDue({
        limit: 100,
        perWebhook: 100,
        busy: [],
        now: NOW,
        leaseMs: LEASE,
        ...over,
      });
    }
    function result(claimed: ClaimedDelivery | undefined, next: DeliveryResult["next"]): DeliveryResult {
      if (claimed === undefined) throw new Error("Nothing was claimed");
      const { delivery, fence } = claimed;
      return {
        id: delivery.id,
        fence,
        responseStatus: 503,
        responseBody: "no",
        durationMs: 7,
        error: "HTTP 503",
        next,
      };
    }

    test("a delivery is due at once, and claimed with its webhook and retry count", async () => {
      const { storage, workspaceId } = world();
      await storage.settings.update(workspaceId, { webhookRetryCount: 7, updatedAt: NOW });
      const webhook = await world().addWebhook();
      const delivery = newDelivery(webhook);
      await storage.webhookDeliveries.insert([delivery]);
      expect(await storage.webhookDeliveries.nextDueAt()).toBe(NOW);
      expect(await claim({ now: NOW - 1 })).toEqual([]);
      const claimed = await claim();
      expect(claimed).toEqual([
        {
          delivery: {
            ...delivery,
            status: "pending",
            attempts: 1,
            responseStatus: undefined,
            responseBody: "",
            durationMs: undefined,
            error: "",
            dueAt: NOW + LEASE,
            settledAt: undefined,
          },
          webhook,
          retryCount: 7,
          fence: claimed[0]?.fence,
        },
      ]);
      expect(await claim()).toEqual([]);
      expect(await storage.webhookDeliveries.nextDueAt()).toBe(NOW + LEASE);
    });

    test("what an attempt came to is kept, and a settled one is due no more", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      const delivery = newDelivery(webhook);
      await webhookDeliveries.insert([delivery]);
      const [first] = await claim();
      expect(await webhookDeliveries.settle([result(first, { retryAt: NOW + 5_000 })])).toEqual([
        delivery.id,
      ]);
      const find = () => webhookDeliveries.find(world().workspaceId, webhook.id, delivery.id);
      expect(await find()).toMatchObject({
        status: "pending",
        attempts: 1,
        responseStatus: 503,
        responseBody: "no",
        durationMs: 7,
        error: "HTTP 503",
        dueAt: NOW + 5_000,
      });
      expect(await claim({ now: NOW + 4_999 })).toEqual([]);
      const [second] = await claim({ now: NOW + 5_000 });
      expect(second?.delivery.attempts).toBe(2);
      const settled = { status: "delivered" as const, settledAt: NOW + 5_001 };
      expect(await webhookDeliveries.settle([result(second, settled)])).toEqual([delivery.id]);
      expect(await find()).toMatchObject({ ...settled, attempts: 2, dueAt: undefined });
      expect(await webhookDeliveries.nextDueAt()).toBeUndefined();
    });

    test("a lapsed lease is due again, and its former holder can settle nothing", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      await webhookDeliveries.insert([newDelivery(webhook), newDelivery(webhook)]);
      const stale = await claim();
      const fresh = await claim({ now: NOW + LEASE });
      expect(fresh.map(({ delivery }) => delivery.attempts)).toEqual([2, 2]);
      const done = { status: "delivered" as const, settledAt: NOW };
      expect(await webhookDeliveries.settle([result(stale[0], done), result(fresh[1], done)])).toEqual([
        fresh[1]?.delivery.id,
      ]);
      expect(await webhookDeliveries.settle([result(fresh[1], { retryAt: NOW })])).toEqual([]);
      expect(await webhookDeliveries.settle([])).toEqual([]);
    });

    test("a lease given back costs no attempt; one that was lost can't be", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      await webhookDeliveries.insert([newDelivery(webhook)]);
      const [first] = await claim();
      const lease = { id: first?.delivery.id ?? "", fence: first?.fence ?? 0 };
      await webhookDeliveries.release([lease], NOW + 1);
      expect(await claim()).toEqual([]);
      const [again] = await claim({ now: NOW + 1 });
      expect(again?.delivery).toMatchObject({ id: lease.id, attempts: 1 });
      expect(again?.fence).toBeGreaterThan(lease.fence);
      await webhookDeliveries.release([lease], NOW + 1);
      await webhookDeliveries.release([], NOW + 1);
      expect(await claim({ now: NOW + 1 })).toEqual([]);
      expect(await webhookDeliveries.settle([result(first, { retryAt: NOW })])).toEqual([]);
    });

    test("no two claim the same, oldest due first", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      const deliveries = Array.from({ length: 40 }, (_, index) => newDelivery(webhook, NOW - index));
      await webhookDeliveries.insert(deliveries);
      const [oldest] = await claim({ limit: 1 });
      expect(oldest?.delivery.createdAt).toBe(NOW - 39);
      const rounds = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 5 })));
      const rest = await claim();
      const ids = [...rounds.flat(), ...rest].map(({ delivery }) => delivery.id);
      expect(ids).toHaveLength(39);
      expect(new Set(ids).size).toBe(39);
      expect(Math.max(...rounds.map((round) => round.length))).toBeLessThanOrEqual(5);
    });

    test("one webhook's backlog holds up no other, and what is busy counts", async () => {
      const { webhookDeliveries } = world().storage;
      const dead = await world().addWebhook();
      const good = await world().addWebhook();
      await webhookDeliveries.insert(Array.from({ length: 50 }, () => newDelivery(dead, NOW - 1_000)));
      await webhookDeliveries.insert(Array.from({ length: 3 }, () => newDelivery(good)));
      const first = await claim({ limit: 10, perWebhook: 4 });
      expect([byWebhook(first, dead.id), byWebhook(first, good.id)]).toEqual([4, 3]);
      await webhookDeliveries.insert(Array.from({ length: 3 }, () => newDelivery(good)));
      const second = await claim({ perWebhook: 4, busy: [dead.id, dead.id, dead.id, good.id, good.id] });
      expect([byWebhook(second, dead.id), byWebhook(second, good.id)]).toEqual([1, 2]);
      const third = await claim({ perWebhook: 4, busy: Array.from({ length: 9 }, () => dead.id) });
      expect([byWebhook(third, dead.id), byWebhook(third, good.id)]).toEqual([0, 1]);
      const fourth = await claim({ limit: 2, perWebhook: 4 });
      expect(fourth).toHaveLength(2);
    });

    test("lists a webhook's deliveries newest first, in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const webhook = await world().addWebhook();
      const deliveries = Array.from({ length: 5 }, (_, index) => newDelivery(webhook, NOW + index));
      await storage.webhookDeliveries.insert([...deliveries, newDelivery(await world().addWebhook())]);
      await storage.webhookDeliveries.insert([]);
      const { items, total } = await storage.webhookDeliveries.list(workspaceId, webhook.id, {
        offset: 1,
        limit: 2,
      });
      expect(items.map(({ id }) => id)).toEqual([deliveries[3]?.id, deliveries[2]?.id]);
      expect(total).toBe(5);
      const id = deliveries[0]?.id ?? "";
      expect((await storage.webhookDeliveries.list(other, webhook.id, { offset: 0, limit: 9 })).total).toBe(
        0,
      );
      expect(await storage.webhookDeliveries.find(other, webhook.id, id)).toBeUndefined();
      expect(await storage.webhookDeliveries.redeliver(other, webhook.id, id, NOW)).toBe(false);
    });

    test("only a settled delivery is redelivered, from its first attempt on", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      const delivery = newDelivery(webhook);
      await webhookDeliveries.insert([delivery]);
      const redeliver = () =>
        webhookDeliveries.redeliver(world().workspaceId, webhook.id, delivery.id, NOW + 9);
      expect(await redeliver()).toBe(false);
      const [claimed] = await claim();
      await webhookDeliveries.settle([result(claimed, { status: "failed", settledAt: NOW })]);
      expect(await redeliver()).toBe(true);
      expect(await redeliver()).toBe(false);
      expect(await claim({ now: NOW + 8 })).toEqual([]);
      const [again] = await claim({ now: NOW + 9 });
      expect(again?.delivery).toMatchObject({ attempts: 1, status: "pending", settledAt: undefined });
      expect(again?.fence).toBeGreaterThan(claimed?.fence ?? 0);
    });

    test("old settled ones are removed, a bounded number at a time", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      await webhookDeliveries.insert(Array.from({ length: 4 }, () => newDelivery(webhook, NOW - 1)));
      const claimed = await claim({ limit: 3 });
      const settled = { status: "failed" as const, settledAt: NOW - 1 };
      await webhookDeliveries.settle(claimed.map((each) => result(each, settled)));
      expect(await webhookDeliveries.deleteBefore(NOW, 2)).toBe(2);
      expect(await webhookDeliveries.deleteBefore(NOW, 2)).toBe(1);
      expect(await webhookDeliveries.deleteBefore(NOW, 2)).toBe(0);
      expect((await claim()).length).toBe(1);
    });
  });
}
