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

test("a disabled webhook is not tested: nothing would be posted", async () => {
  const { run } = await openVerbWorld();
  const url = "https://shop.example/hooks";
  await run("webhooks", "create", url, "--event", "email.sent");
  await run("webhooks", "disable", url);
  for (const named of [[], [url]])
    await expect(run("webhooks", "test", ...named)).rejects.toMatchObject({
      code: "webhook_disabled",
      message: "The webhook https://shop.example/… is disabled: nothing is posted to it.",
    });
  expect(await run("webhooks", "deliveries", url)).toEqual([[]]);
});

test("a domain is found as its owner writes it, and a person by their address in any case", async () => {
  const { run } = await openVerbWorld();
  const [added] = await run("domains", "add", "Köln.example");
  expect(added).toMatchObject({ name: "xn--kln-sna.example" });
  expect(await run("domains", "show", "köln.Example")).toMatchObject([{ name: "xn--kln-sna.example" }]);
  await run("invitations", "create", "ada@example.com", "--role", "viewer");
  await run("invitations", "cancel", "Ada@Example.com");
  expect(await run("invitations", "list")).toEqual([[]]);
  await expect(run("domains", "show", "kohl.example")).rejects.toMatchObject({ failure: "not_found" });
  await expect(run("domains", "show", "xn--kln-sna.exampel")).rejects.toMatchObject({
    hint: 'Did you mean "xn--kln-sna.example"? Try: posthorn domains list',
  });
});
