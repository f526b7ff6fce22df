import { expect, test } from "vitest";
import {
  add,
  answering,
  deliveries,
  openWebhookWorldForEach,
  queue,
} from "../../../test/webhook-deliveries.ts";
import { workspace, world } from "../../../test/world-for-each.ts";

openWebhookWorldForEach();

const update = (webhookId: string, url: string) =>
  world.posthorn.webhooks.update({ webhookId, url }, workspace.asOwner);

test.each([410, 503])(
  "an answer %s of the former URL, given after the change, tells nothing of the new one",
  async (status) => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(async () => {
      await update(id, "https://new.example.com/");
      return answering(status, 3_600)();
    });
    await world.posthorn.drain();
    world.http.answerWith();
    await queue(id);
    await world.posthorn.drain();
    expect(world.http.posts.at(-1)?.url).toBe("https://new.example.com/");
    expect((await deliveries(id)).at(0)).toMatchObject({ status: "delivered" });
  },
);

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
