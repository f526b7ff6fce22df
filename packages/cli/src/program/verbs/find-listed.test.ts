import { expect, test } from "vitest";
import { openVerbWorld } from "../../../test/verb-world.ts";

test("a webhook that is not named is the only one, if there is only one", async () => {
  const { run } = await openVerbWorld();
  const create = (url: string) => run("webhooks", "create", url, "--event", "email.sent");
  await expect(run("webhooks", "test")).rejects.toMatchObject({ failure: "not_found" });
  await create("https://shop.example/first");
  const queued = [{ event: "webhook.test", status: "pending" }];
  expect(await run("webhooks", "test")).toMatchObject(queued);
  await create("https://shop.example/second");
  await expect(run("webhooks", "test")).rejects.toMatchObject({
    failure: "usage",
    message: "There are 2 webhooks: name one.",
  });
  expect(await run("webhooks", "test", "https://shop.example/second")).toMatchObject(queued);
});
