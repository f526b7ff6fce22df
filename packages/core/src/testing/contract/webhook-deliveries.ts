import { describe, expect, test } from "vitest";
import type { ClaimedDelivery, DeliveryResult, Storage } from "../../ports/storage.ts";
import { LEASE } from "./claims.ts";
import { NOW, newDelivery, useSendingWorld } from "./sending-world.ts";

/** The contract of `WebhookDeliveries`. */
export function describeWebhookDeliveries(open: () => Promise<Storage>): void {
  describe("webhook deliveries", () => {
    const world = useSendingWorld(open);

    /** Claims the due deliveries of each webhook, at most `perWebhook` for each and `limit` in all. */
    async function claim({
      limit = 100,
      perWebhook = 4,
      now = NOW,
      ...left
    }: {
      limit?: number;
      perWebhook?: number;
      now?: number;
      inHand?: string[];
      leavesExpired?: boolean;
    } = {}): Promise<ClaimedDelivery[]> {
      const { webhookDeliveries } = world().storage;
      const wants: { row: number; limit: number }[] = [];
      let open = limit;
      for (const { row, due } of await webhookDeliveries.look({ now, most: perWebhook, limit: 100 })) {
        wants.push({ row, limit: Math.min(due, open) });
        open -= Math.min(due, open);
      }
      return webhookDeliveries.claim({ wants, now, leaseMs: LEASE, ...left });
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

    test("an attempt's result is stored, and a settled delivery is no longer due", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      const delivery = newDelivery(webhook);
      await webhookDeliveries.insert([delivery]);
      const [first] = await claim();
      const repeated = result(first, { retryAt: NOW + 5_000 });
      expect(await webhookDeliveries.settle([repeated], NOW)).toEqual([repeated]);
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
      const delivered = result(second, settled);
      expect(await webhookDeliveries.settle([delivered], NOW)).toEqual([delivered]);
      expect(await find()).toMatchObject({ ...settled, attempts: 2, dueAt: undefined });
      expect(await webhookDeliveries.nextDueAt()).toBeUndefined();
    });

    test("an expired lease is due again, and its former holder can settle nothing", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      await webhookDeliveries.insert([newDelivery(webhook), newDelivery(webhook)]);
      const stale = await claim();
      const fresh = await claim({ now: NOW + LEASE });
      expect(fresh.map(({ delivery }) => delivery.attempts)).toEqual([2, 2]);
      const done = { status: "delivered" as const, settledAt: NOW };
      const late = stale.map((claimed) => result(claimed, done));
      const current = result(fresh[1], done);
      expect(await webhookDeliveries.settle([...late, current], NOW)).toEqual([current]);
      const held = await webhookDeliveries.find(world().workspaceId, webhook.id, fresh[0]?.delivery.id ?? "");
      expect(held).toMatchObject({ status: "pending", responseBody: "", dueAt: NOW + 2 * LEASE });
      expect(await webhookDeliveries.settle([result(fresh[1], { retryAt: NOW })], NOW)).toEqual([]);
      expect(await webhookDeliveries.settle([], NOW)).toEqual([]);
    });

    test("an expired lease is left to its owner on request, and where this worker is the owner", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      await webhookDeliveries.insert([newDelivery(webhook), newDelivery(webhook)]);
      const ids = (claimed: ClaimedDelivery[]) => claimed.map(({ delivery }) => delivery.id);
      const [own = "", other = ""] = ids(await claim());
      const fresh = newDelivery(webhook);
      await webhookDeliveries.insert([fresh]);
      const now = NOW + LEASE;
      expect(ids(await claim({ now, leavesExpired: true }))).toEqual([fresh.id]);
      expect(ids(await claim({ now, inHand: [own] }))).toEqual([other]);
      expect(ids(await claim({ now }))).toEqual([own]);
    });

    test("a released lease costs no attempt; a lost one can't be released", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      await webhookDeliveries.insert([newDelivery(webhook)]);
      const [first] = await claim();
      const lease = { id: first?.delivery.id ?? "", fence: first?.fence ?? 0 };
      await webhookDeliveries.release([lease], NOW + 1);
      const done = { status: "delivered" as const, settledAt: NOW };
      expect(await webhookDeliveries.settle([result(first, done)], NOW)).toEqual([]);
      await webhookDeliveries.release([lease], NOW + 1);
      expect(await claim()).toEqual([]);
      const [again] = await claim({ now: NOW + 1 });
      expect(again?.delivery).toMatchObject({ id: lease.id, attempts: 1 });
      expect(again?.fence).toBeGreaterThan(lease.fence);
      await webhookDeliveries.release([lease], NOW + 1);
      await webhookDeliveries.release([], NOW + 1);
      expect(await claim({ now: NOW + 1 })).toEqual([]);
      expect(await webhookDeliveries.settle([result(first, { retryAt: NOW })], NOW)).toEqual([]);
    });

    test("no two claim the same, longest due first", async () => {
      const { webhookDeliveries } = world().storage;
      for (let n = 0; n < 10; n++) {
        const webhook = await world().addWebhook();
        await webhookDeliveries.insert([3, 2, 1, 0].map((age) => newDelivery(webhook, NOW - age - n)));
      }
      const [oldest] = await claim({ limit: 1 });
      expect(oldest?.delivery.createdAt).toBe(NOW - 12);
      const rounds = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 5 })));
      const rest = [...(await claim()), ...(await claim())];
      const ids = [...rounds.flat(), ...rest].map(({ delivery }) => delivery.id);
      expect(ids).toHaveLength(39);
      expect(new Set(ids).size).toBe(39);
      expect(Math.max(...rounds.map((round) => round.length))).toBeLessThanOrEqual(5);
    });

    test("ends waiting deliveries of a disabled webhook, but not those being posted", async () => {
      const { storage, workspaceId } = world();
      const { webhookDeliveries } = storage;
      const webhook = await world().addWebhook();
      const other = await world().addWebhook();
      await webhookDeliveries.insert([1, 2, 3].map(() => newDelivery(webhook)));
      await webhookDeliveries.insert([newDelivery(other)]);
      const [claimed] = await claim({ limit: 1 });
      await storage.webhooks.update(workspaceId, webhook.id, { isActive: false, updatedAt: NOW });
      const [off, ...active] = await webhookDeliveries.look({ now: NOW, most: 4, limit: 9 });
      expect(off).toMatchObject({ webhookId: webhook.id, isActive: false });
      expect(active.map(({ webhookId }) => webhookId)).toEqual([other.id]);
      const end = (limit: number) =>
        webhookDeliveries.endWaiting({ rows: [off?.row ?? 0], error: "off", now: NOW + 1, limit });
      expect([await end(1), await end(9), await end(9)]).toEqual([1, 1, 0]);
      const { items } = await webhookDeliveries.list(workspaceId, webhook.id, { offset: 0, limit: 9 });
      const ended = items.filter(({ status }) => status === "failed");
      expect(ended).toMatchObject(
        Array(2).fill({ status: "failed", error: "off", dueAt: undefined, settledAt: NOW + 1 }),
      );
      const done = { status: "delivered" as const, settledAt: NOW };
      expect(await webhookDeliveries.settle([result(claimed, done)], NOW)).toHaveLength(1);
    });

    test("deliveries deferred or leased by a clock that was ahead move back by as much", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      const ahead = 600_000;
      await webhookDeliveries.insert([NOW + ahead, NOW, NOW].map((due) => newDelivery(webhook, due)));
      const claimed = await claim({ now: NOW + ahead });
      await webhookDeliveries.settle([result(claimed[0], { retryAt: NOW + ahead + 5_000 })], NOW + ahead);
      // Queued by a process whose clock differs by a moment.
      expect(await webhookDeliveries.restoreDue(NOW + ahead - 1_000)).toBe(0);
      expect(await webhookDeliveries.restoreDue(NOW)).toBe(3);
      expect(await webhookDeliveries.nextDueAt()).toBe(NOW + 5_000);
      expect(await claim({ now: NOW + 5_000 })).toHaveLength(1);
      expect(await claim({ now: NOW + LEASE })).toHaveLength(2);
    });

    test("claims a webhook's longest due deliveries first, in that order", async () => {
      const webhook = await world().addWebhook();
      const [third, second, first] = [1, 2, 3].map((ms) => newDelivery(webhook, NOW - ms));
      await world().storage.webhookDeliveries.insert([third, second, first].flatMap((one) => one ?? []));
      const claimed = [...(await claim({ perWebhook: 2 })), ...(await claim())];
      expect(claimed.map(({ delivery }) => delivery.id)).toEqual([first?.id, second?.id, third?.id]);
    });

    test("lists a webhook's deliveries newest first, in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const [beside, webhook] = [await world().addWebhook(), await world().addWebhook()];
      const deliveries = Array.from({ length: 5 }, (_, index) => newDelivery(webhook, NOW + index));
      await storage.webhookDeliveries.insert([...deliveries, newDelivery(beside)]);
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

    test("deliveries about an e-mail are found by it, oldest first, in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const webhook = await world().addWebhook();
      const emailId = crypto.randomUUID();
      const [one, two] = [newDelivery(webhook), newDelivery(webhook)];
      await storage.webhookDeliveries.insert([
        { ...one, emailId },
        newDelivery(webhook),
        { ...two, emailId },
      ]);
      const found = await storage.webhookDeliveries.listAbout(workspaceId, emailId, 9);
      expect(found.map(({ id, url }) => [id, url])).toEqual([
        [one.id, webhook.url],
        [two.id, webhook.url],
      ]);
      expect(await storage.webhookDeliveries.listAbout(workspaceId, emailId, 1)).toHaveLength(1);
      const other = await world().addWorkspace("Other");
      expect(await storage.webhookDeliveries.listAbout(other, emailId, 9)).toEqual([]);
    });

    test("a settled delivery, or one that waits, is redelivered from its first attempt; one due or leased is not", async () => {
      const { webhookDeliveries } = world().storage;
      const webhook = await world().addWebhook();
      const delivery = newDelivery(webhook);
      await webhookDeliveries.insert([delivery]);
      const redeliver = () =>
        webhookDeliveries.redeliver(world().workspaceId, webhook.id, delivery.id, NOW + 9);
      expect(await redeliver()).toBe(false);
      const [first] = await claim();
      expect(await redeliver()).toBe(false);
      await webhookDeliveries.settle([result(first, { retryAt: NOW + 10 })], NOW);
      expect(await redeliver()).toBe(true);
      const [claimed] = await claim({ now: NOW + 9 });
      expect(claimed?.delivery.attempts).toBe(1);
      await webhookDeliveries.settle([result(claimed, { status: "failed", settledAt: NOW })], NOW);
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
      await webhookDeliveries.settle(
        claimed.map((each) => result(each, settled)),
        NOW,
      );
      expect(await webhookDeliveries.deleteBefore(NOW, 2)).toBe(2);
      expect(await webhookDeliveries.deleteBefore(NOW, 2)).toBe(1);
      expect(await webhookDeliveries.deleteBefore(NOW, 2)).toBe(0);
      expect((await claim()).length).toBe(1);
    });
  });
}
