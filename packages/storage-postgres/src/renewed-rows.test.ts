import { randomUUID } from "node:crypto";
import type { Repositories } from "@posthorn/core/storage";
import { createWorld, type World } from "@posthorn/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestPostgres, runOnce, testPostgresUrl } from "../test/open-test-storage.ts";

let world: World;
let workspaceId: number;
beforeEach(async () => {
  world = await createWorld(await openTestPostgres());
  workspaceId = (await world.addWorkspace()).id;
});
afterEach(() => world.close());

const countWaiting = async () => {
  const locks = "select count(*)::int as number from pg_stat_activity where wait_event_type = 'Lock'";
  return (await runOnce(await testPostgresUrl(), locks))[0]?.["number"];
};

/** Removes a row that expired, while an open transaction has renewed it; returns the number of removed rows. */
async function removeRenewed(
  renew: (within: Repositories) => Promise<unknown>,
  remove: (storage: Repositories) => Promise<number>,
): Promise<number> {
  const { storage } = world;
  const { removed } = await storage.transaction(async (within) => {
    await renew(within);
    const removing = remove(storage);
    await expect.poll(countWaiting).toBe(1);
    return { removed: removing };
  });
  return removed;
}

const day = 86_400_000;

test("a suppression that was renewed is not removed by its former end", async () => {
  const { suppressions } = world.storage;
  const entry = {
    workspaceId,
    scope: "all",
    addressKey: "ada@example.com",
    address: "ada@example.com",
    origin: "bounce" as const,
    reason: "",
    emailId: undefined,
    createdBy: undefined,
    createdAt: 1,
    expiresAt: day,
  };
  await suppressions.put([entry], 1);
  const complaint = { ...entry, origin: "complaint" as const, expiresAt: undefined };
  const removed = await removeRenewed(
    (within) => within.suppressions.put([complaint], 2 * day),
    (storage) => storage.suppressions.deleteExpired(2 * day, 9),
  );
  expect(removed).toBe(0);
  expect(await suppressions.find(workspaceId, entry, 2 * day)).toMatchObject({ origin: "complaint" });
});

test("an idempotency key that is used anew is not removed", async () => {
  const request = { apiKeyId: "k", key: "order-1", bodyDigest: "d", answer: "{}", createdAt: 1 };
  await world.storage.idempotencyKeys.reserve([request], 0);
  const anew = { ...request, createdAt: 2 * day };
  const removed = await removeRenewed(
    (within) => within.idempotencyKeys.reserve([anew], day),
    (storage) => storage.idempotencyKeys.deleteBefore(day, 9),
  );
  expect(removed).toBe(0);
});

test("neither a guard that counts again is removed, nor a worker that beats again", async () => {
  const { guards, operations } = world.storage;
  await guards.reserve("k", 5, 1, 1);
  await operations.beat("w", 1);
  const removed = [
    await removeRenewed(
      (within) => within.guards.reserve("k", 5, 1, 2 * day),
      (storage) => storage.guards.deleteStale(day, 9),
    ),
    await removeRenewed(
      (within) => within.operations.beat("w", 2 * day),
      (storage) => storage.operations.deleteWorkers(day, 9),
    ),
  ];
  expect(removed).toEqual([0, 0]);
});

test("a webhook delivery that is delivered again is not removed", async () => {
  const { webhooks, webhookDeliveries } = world.storage;
  const webhook = await webhooks.insert({
    id: randomUUID(),
    workspaceId,
    url: "https://hooks.example/",
    events: ["*"],
    filters: [],
    isActive: true,
    secret: "sealed",
    createdAt: 1,
  });
  const about = { webhookId: webhook.id, workspaceId, event: "email.sent", payload: "{}" };
  const id = randomUUID();
  await webhookDeliveries.insert([{ ...about, id, createdAt: 1, dueAt: 1 }]);
  const [due] = await webhookDeliveries.look({ now: 1, most: 1, limit: 1 });
  const wants = [{ row: due?.row ?? 0, limit: 1 }];
  const [claimed] = await webhookDeliveries.claim({ wants, now: 1, leaseMs: 9 });
  const answer = { responseStatus: 503, responseBody: "", durationMs: 1, error: "" };
  const next = { status: "failed" as const, settledAt: 1 };
  await webhookDeliveries.settle([{ ...answer, id, fence: claimed?.fence ?? 0, next }], 1);
  const removed = await removeRenewed(
    (within) => within.webhookDeliveries.redeliver(workspaceId, webhook.id, id, 2 * day),
    (storage) => storage.webhookDeliveries.deleteBefore(day, 9),
  );
  expect(removed).toBe(0);
});
