import { expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import {
  add,
  answering,
  deliveries,
  openWebhookWorldForEach,
  queue,
} from "../../../test/webhook-deliveries.ts";
import { workspace, world } from "../../../test/world-for-each.ts";
import { createWorld } from "../../testing/index.ts";

openWebhookWorldForEach();

const update = (webhookId: string, url: string) =>
  world.posthorn.webhooks.update({ webhookId, url }, workspace.asOwner);

/** Has the webhook's URL change while the former one is about to answer. */
const answerAfterChange = (id: string, status: number, retryAfter?: number): void =>
  world.http.answerWith(async ({ url }) => {
    if (url.includes("new.example.com")) return answering(200)();
    await update(id, "https://new.example.com/");
    return answering(status, retryAfter)();
  });

test.each([410, 503])(
  "an answer %s of the former URL, given after the change, tells nothing of the new one",
  async (status) => {
    const { id } = await add();
    await queue(id);
    answerAfterChange(id, status, 3_600);
    await world.posthorn.drain();
    await queue(id);
    await world.posthorn.drain();
    expect(world.http.posts.at(-1)?.url).toBe("https://new.example.com/");
    expect((await deliveries(id)).at(0)).toMatchObject({ status: "delivered" });
  },
);

test.each([
  ["answers 410", 410, 3],
  ["fails the last attempt", 503, 0],
])(
  "a delivery whose former URL %s after the change is posted to the new one",
  async (_, status, webhookRetryCount) => {
    const { id } = await add();
    await world.posthorn.settings.update({ webhookRetryCount }, workspace.asOwner);
    await queue(id);
    answerAfterChange(id, status);
    await world.posthorn.drain();
    expect(await deliveries(id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  },
);

test("a worker posts to the new URL at once, long before it looks again", async () => {
  const own = await createWorld(await openTestSqlite(), { worker: { pollMs: 600_000 } });
  const { asOwner } = await own.addWorkspace();
  const url = "https://hooks.example.com/";
  const { id: webhookId } = await own.posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
  own.http.answerWith(async (post) => {
    if (post.url !== url) return answering(200)();
    await own.posthorn.webhooks.update({ webhookId, url: "https://new.example.com/" }, asOwner);
    return answering(410)();
  });
  own.posthorn.start();
  await own.posthorn.webhooks.test({ webhookId }, asOwner);
  await vi.waitFor(() => expect(own.http.posts).toHaveLength(2), { timeout: 60_000, interval: 10 });
  await own.close();
});

test("deliveries that a former URL exhausted do not count against the new one", async () => {
  const { id } = await add();
  world.http.answerWith(answering(500));
  await world.posthorn.settings.update({ webhookRetryCount: 0 }, workspace.asOwner);
  for (const host of ["second", "third"]) {
    for (let count = 0; count < 29; count += 1) await queue(id);
    await world.posthorn.drain();
    await update(id, `https://${host}.example.com/`);
  }
  expect((await world.posthorn.webhooks.get({ webhookId: id }, workspace.asOwner)).isActive).toBe(true);
});
