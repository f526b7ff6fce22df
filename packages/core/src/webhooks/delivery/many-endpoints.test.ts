import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openDatabaseForEach, world } from "../../../test/world-for-each.ts";

openDatabaseForEach();

test("of more endpoints than one look returns, those with longer backlogs do not keep the others waiting", async () => {
  const { storage, clock, posthorn, http } = world;
  const now = clock.now();
  async function add(host: string, count: number, dueAt: number, backlog: number): Promise<void> {
    const { id: workspaceId, asOwner } = await world.addWorkspace();
    const others = Array.from({ length: count }, async (_, at) => {
      const url = `https://${host}/${at}`;
      const { id: webhookId } = await posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
      // All answered their last delivery at once.
      await storage.webhooks.noteOutcome(webhookId, { failures: 0, pausedUntil: undefined, pace: 0 });
      const row = { webhookId, workspaceId, event: "webhook.test", payload: "{}", createdAt: dueAt, dueAt };
      return Array.from({ length: backlog }, () => ({ ...row, id: randomUUID() }));
    });
    await storage.webhookDeliveries.insert((await Promise.all(others)).flat());
  }
  for (let workspaces = 0; workspaces < 26; workspaces += 1)
    await add("busy.example.com", 20, now - 60_000, 3);
  await add("last.example.com", 1, now, 1);
  http.posts.length = 0;
  await posthorn.drain();
  expect(http.posts).toHaveLength(26 * 20 * 3 + 1);
  const last = http.posts.findIndex(({ url }) => url.startsWith("https://last."));
  expect(last).toBeGreaterThanOrEqual(0);
  // Half of what waited before: each endpoint is due for its second turn only after the last one's first.
  expect(last).toBeLessThan((26 * 20 * 3) / 2);
});
