import { expect, test } from "vitest";
import { openVerbWorld } from "./verb-world.ts";

test("a change of a part of the content is refused, because it would leave the rest empty", async () => {
  const { run } = await openVerbWorld();
  const content = ["--subject", "New", "--text", "New"];
  await run("campaigns", "create", "Own", "--subject", "Old", "--html", "<p>Old</p>");
  for (const part of [content.slice(0, 2), content.slice(2)])
    await expect(run("campaigns", "update", "Own", ...part)).rejects.toMatchObject({
      failure: "usage",
      message: 'The content of "Own" is replaced as a whole: give --subject with --html, --text or --file.',
    });
  expect(await run("campaigns", "update", "Own", ...content)).toMatchObject([{ name: "Own" }]);
});

test("a part of a template's content is refused with what would replace the template", async () => {
  const { run, api, shop } = await openVerbWorld();
  const news = { name: "news", subject: "Old", text: "Old" };
  await api.on(shop.id).request("POST /workspaces/current/templates", news);
  await run("campaigns", "create", "Spring", "--template", "news");
  await expect(run("campaigns", "update", "Spring", "--subject", "New")).rejects.toMatchObject({
    failure: "usage",
    message:
      '"Spring" sends the template "news", with its subject. To replace it, give --subject with --html, --text or --file.',
  });
  const content = ["--subject", "New", "--text", "New"];
  expect(await run("campaigns", "update", "Spring", ...content)).toMatchObject([{ template: null }]);
});
