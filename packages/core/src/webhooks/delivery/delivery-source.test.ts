import { expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import type { QueueClock } from "../../queue/queue-clock.ts";
import type { Runtime } from "../../service/runtime.ts";
import { createDeliverySource } from "./delivery-source.ts";

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
  const source = createDeliverySource(
    {
      storage: { webhookDeliveries, webhooks: { endPauses: async () => {} } } as unknown as Storage,
      queueClock: { now: () => 0, monotonic: () => monotonic, ask: async () => {} } as unknown as QueueClock,
      config: { worker: { pollMs: 1_000 } } as Runtime["config"],
      logger: { warn: () => {} } as unknown as Runtime["logger"],
    },
    { leaseMs: 60_000, grace: { isOver: () => true } as Parameters<typeof createDeliverySource>[1]["grace"] },
  );
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
