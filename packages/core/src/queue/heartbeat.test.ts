import { expect, onTestFinished, test, vi } from "vitest";
import { silentLogger } from "../ports/logger.ts";
import type { Runtime } from "../service/runtime.ts";
import { startHeartbeat } from "./heartbeat.ts";

test("a stopped worker is deleted after its last heartbeat, not before it", async () => {
  const written = Promise.withResolvers<void>();
  const calls: string[] = [];
  const operations = {
    async beat() {
      calls.push("beat");
      await written.promise;
      calls.push("written");
    },
    async forgetWorker() {
      calls.push("forgotten");
    },
  };
  const storage = { now: async () => 1, operations } as unknown as Runtime["storage"];
  const end = startHeartbeat({ storage, logger: silentLogger }, "w1");
  await expect.poll(() => calls).toEqual(["beat"]);
  const ended = end();
  written.resolve();
  await ended;
  expect(calls).toEqual(["beat", "written", "forgotten"]);
});

test("a heartbeat that fails is repeated each second, however long the outage", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const error = vi.fn<() => void>();
  const storage = {
    now: () => Promise.reject(new Error("the storage is away")),
    operations: { forgetWorker: async () => {} },
  } as unknown as Runtime["storage"];
  const end = startHeartbeat({ storage, logger: { ...silentLogger, error } }, "w1");
  await vi.advanceTimersByTimeAsync(300_000);
  await end();
  expect(error.mock.calls.length).toBeGreaterThan(250);
  expect(error.mock.calls.length).toBeLessThan(350);
});
