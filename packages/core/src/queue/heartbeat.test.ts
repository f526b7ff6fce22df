import { expect, test } from "vitest";
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
