import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("a Retry-After with fractions of a second, as of an HTTP date, is recorded, and nothing is posted again before", async () => {
  const { world } = await openLockingWorld();
  const { posthorn } = world;
  const { asOwner } = await world.addWorkspace();
  const { id: webhookId } = await posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["*"] },
    asOwner,
  );
  await posthorn.webhooks.test({ webhookId }, asOwner);
  world.http.answerWith(async () => ({
    kind: "response",
    status: 503,
    body: "",
    retryAfter: 12.3456,
    durationMs: 1,
  }));
  await posthorn.drain();
  const { items } = await posthorn.webhooks.listDeliveries({ webhookId }, asOwner);
  expect(items).toMatchObject([{ status: "pending", attempts: 1, error: "answered 503" }]);
  expect(items[0]?.dueAt).toBe(world.clock.now() + 13_000);
});
