import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test.each([
  ["settled", (at: number) => ({ status: "delivered" as const, settledAt: at })],
  ["postponed", (at: number) => ({ retryAt: at + 60_000 })],
])("a delivery that another worker %s after a claim had found it is not claimed", async (_, nextAt) => {
  const { storage, world, schema, untilWaiting, openHost } = await openLockingWorld();
  const { asOwner } = await world.addWorkspace();
  const url = "https://hooks.example.com/";
  const { id: webhookId } = await world.posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
  await world.posthorn.webhooks.test({ webhookId }, asOwner);
  const now = world.clock.now();
  const { webhookDeliveries } = storage;
  const due = await webhookDeliveries.look({ now, most: 1, limit: 1 });
  const wants = due.map(({ row }) => ({ row, limit: 1 }));
  const claim = (at: number) => webhookDeliveries.claim({ wants, now: at, leaseMs: 1_000 });
  const [first] = await claim(now);
  // Its lease has ended, so that it is found again while its worker's result is on the way.
  const later = now + 2_000;
  const host = await openHost();
  const within = storage.within(host);
  await host.query(`lock table "${schema}".webhook_deliveries in exclusive mode`);
  const claiming = claim(later);
  await untilWaiting(claiming);
  const told = { responseStatus: 200, responseBody: "", durationMs: 1, error: "", next: nextAt(later) };
  const { delivery, fence = 0 } = first ?? {};
  const settled = await within.webhookDeliveries.settle([{ id: delivery?.id ?? "", fence, ...told }], later);
  expect(settled).toHaveLength(1);
  await host.query("commit");
  expect(await claiming).toEqual([]);
});
