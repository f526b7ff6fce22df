import { afterEach, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createMemoryHttpSender, createWorld } from "../../testing/index.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a post that a host's sender never answers ends as timed out", async () => {
  const httpSender = createMemoryHttpSender();
  const world = await createWorld(await openTestSqlite(), { httpSender });
  const { id: workspaceId } = await world.addWorkspace();
  const { id: webhookId } = await world.posthorn.webhooks.create(
    { url: "https://shop.example/hook", events: ["*"] },
    { workspaceId },
  );
  await world.posthorn.webhooks.test({ webhookId }, { workspaceId });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  httpSender.answerWith(({ timeoutMs }) => {
    setImmediate(() => vi.advanceTimersByTime(timeoutMs + 5_000));
    return new Promise(() => {});
  });
  await world.posthorn.drain();
  vi.useRealTimers();
  const { items } = await world.posthorn.webhooks.listDeliveries({ webhookId }, { workspaceId });
  expect(items).toMatchObject([{ attempts: 1, error: "timeout", durationMs: 15_000 }]);
  await world.close();
});
