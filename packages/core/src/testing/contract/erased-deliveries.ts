import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { ada, erasedPerson, NOW, newDelivery, useSendingWorld } from "./sending-world.ts";

/** The contract of erasures while webhook deliveries are on their way. */
export const describeErasedDeliveries = (open: () => Promise<Storage>): void => {
  describe("erased webhook deliveries", () => {
    const world = useSendingWorld(open);

    test("keep no answer to what they were before, and need no other attempt", async () => {
      const { workspaceId, storage } = world();
      const { webhookDeliveries, recipients } = storage;
      const webhook = await world().addWebhook();
      const [about, other] = [newDelivery(webhook), newDelivery(webhook)];
      await webhookDeliveries.insert([{ ...about, payload: JSON.stringify({ to: ada }) }, other]);
      const claim = async () => {
        const found = await webhookDeliveries.look({ now: NOW, most: 4, limit: 9 });
        const wants = found.map(({ row, due }) => ({ row, limit: due }));
        return webhookDeliveries.claim({ wants, now: NOW, leaseMs: 30_000 });
      };
      const settle = async (claimed: Awaited<ReturnType<typeof claim>>) => {
        const told = { responseStatus: 503, responseBody: "echo", durationMs: 7, error: "HTTP 503" };
        const results = claimed.map(({ delivery, fence }) => ({
          ...{ id: delivery.id, fence, ...told, next: { retryAt: NOW } },
        }));
        const settled = await webhookDeliveries.settle(results, NOW);
        const body = async ({ id }: { id: string }) =>
          (await webhookDeliveries.find(workspaceId, webhook.id, id))?.responseBody;
        return [settled.length, await body(about), await body(other)];
      };
      const first = await claim();
      await recipients.eraseFrom("webhook_deliveries", erasedPerson(world()), "");
      expect(await settle(first)).toEqual([2, "", "echo"]);
      // The next attempt posts what is left.
      expect(await settle(await claim())).toEqual([2, "echo", "echo"]);
    });
  });
};
