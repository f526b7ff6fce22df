import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test, vi } from "vitest";
import { createWorld } from "../../testing/index.ts";

test("a lease ends at a whole ms, whatever the time-out is", async () => {
  const storage = await createSqliteStorage({ filename: ":memory:" });
  const claim = vi.spyOn(storage.webhookDeliveries, "claim");
  const { posthorn, addWorkspace, close } = await createWorld(storage, {
    webhooks: { timeoutSecs: 33.3333 },
  });
  const { asOwner } = await addWorkspace();
  const url = "https://hooks.example.com/";
  const { id: webhookId } = await posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
  await posthorn.webhooks.test({ webhookId }, asOwner);
  await posthorn.drain();
  await close();
  expect(claim.mock.calls[0]?.[0].leaseMs).toBe(43_334);
});
