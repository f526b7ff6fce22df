import { expect, test } from "vitest";
import { openVerbWorld } from "./verb-world.ts";

test("a domain's tracking host is set, shown among its records, and removed by the word none", async () => {
  const { run } = await openVerbWorld(undefined, { trackingHost: "links.post.example" });
  await run("domains", "add", "shop.example", "--tracking", "Links");
  const [zone] = await run("domains", "records", "shop.example", "--as", "zone");
  expect(zone).toContain("links.shop.example. 3600 IN CNAME links.post.example.");
  expect(await run("domains", "show", "shop.example")).toMatchObject([{ tracking: "links" }]);
  await run("domains", "update", "shop.example", "--tracking", "none");
  expect(await run("domains", "show", "shop.example")).toMatchObject([{ tracking: null }]);
  await expect(run("domains", "update", "shop.example", "--tracking", "a_b")).rejects.toMatchObject({
    code: "validation_failed",
  });
});

test("a campaign's tracking is set, kept by other changes, and left to the settings again by that word", async () => {
  const { run } = await openVerbWorld();
  const update = (...options: string[]) => run("campaigns", "update", "Spring", ...options);
  await run("campaigns", "create", "Spring", "--subject", "x", "--text", "x", "--track", "clicks");
  expect(await update("--tag", "a")).toMatchObject([{ tracking: { opens: false, clicks: true } }]);
  expect(await update("--track", "settings")).toMatchObject([{ tracking: { opens: null, clicks: null } }]);
});
