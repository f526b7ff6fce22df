import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Repositories } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { settleEmails } from "./settle-emails.ts";

test("a settlement's transaction ends after all of its writes, also if the webhooks can't be read", async () => {
  const order: string[] = [];
  const repositories = {
    webhooks: { listActive: () => Promise.reject(new Error("damaged")) },
    emailQueue: {
      settle: async () => {
        await setImmediate();
        order.push("written");
        return [];
      },
    },
  } as unknown as Repositories;
  const storage = {
    transaction: (work: (storage: Repositories) => Promise<unknown>) =>
      work(repositories).finally(() => order.push("ended")),
  };
  const runtime = { storage, queueClock: { now: () => 0 } } as unknown as Runtime;
  const attempted = { claimed: { route: "w:1", email: { workspaceId: 1 } }, result: { emailId: "a" } };
  await expect(settleEmails(runtime, [attempted as never], () => false)).rejects.toThrow("damaged");
  expect(order).toEqual(["written", "ended"]);
});
