import { expect, test } from "vitest";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import type { QueueClock } from "../../queue/queue-clock.ts";
import type { Runtime } from "../../service/runtime.ts";
import { createDeliverySource } from "./delivery-source.ts";

/** A source on these, at the monotonic time that `monotonic` returns. */
const openSource = (webhookDeliveries: object, monotonic: () => number) =>
  createDeliverySource(
    {
      storage: { webhookDeliveries, webhooks: { endPauses: async () => {} } } as unknown as Storage,
      queueClock: { now: monotonic, monotonic, ask: async () => {} } as unknown as QueueClock,
      config: { worker: { pollMs: 1_000 } } as Runtime["config"],
      logger: { warn: () => {} } as unknown as Runtime["logger"],
    },
    { leaseMs: 60_000, grace: { isOver: () => true } as Parameters<typeof createDeliverySource>[1]["grace"] },
  );

test("deliveries go on where more are postponed than the storage can look at in time, which is tried again", async () => {
  let monotonic = 0;
  let restored = 0;
  let looks = 0;
  const webhookDeliveries = {
    look: async () => {
      looks += 1;
      return [];
    },
    restoreDue: async () => {
      restored += 1;
      monotonic += 5_000;
      throw new StorageUnavailable("it took too long");
    },
  };
  const source = openSource(webhookDeliveries, () => monotonic);
  await expect(source.claim([])).rejects.toThrow("it took too long");
  monotonic += 99_999;
  await source.claim([]);
  expect([restored, looks]).toEqual([1, 1]);
  monotonic += 1;
  await expect(source.claim([])).rejects.toThrow("it took too long");
  await source.claim([]);
  expect([restored, looks]).toEqual([2, 2]);
});

test("where looks at the endpoints with a backlog are expensive, the next waits: they take a quarter of the time", async () => {
  let monotonic = 0;
  let tookMs = 10;
  const taking = async <T>(found: T): Promise<T> => {
    monotonic += tookMs;
    return found;
  };
  const webhookDeliveries = {
    look: () => taking([]),
    nextDueAt: () => taking(undefined),
    restoreDue: async () => 0,
  };
  const source = openSource(webhookDeliveries, () => monotonic);
  const look = async () => {
    await source.claim([]);
    await source.nextDueAt();
  };
  expect(source.lookGapMs()).toBe(0);
  await look();
  expect(source.lookGapMs()).toBe(0);
  tookMs = 60;
  for (let count = 0; count < 6; count += 1) await look();
  expect(source.lookGapMs()).toBe(480);
});
