import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "@posthorn/client";
import { expect, test } from "vitest";
import type { Api } from "../src/program/connection/api.ts";
import { connectDirectly } from "../src/program/connection/connect-directly.ts";
import { addShop, openCommandWorld } from "./command-world.ts";
import { makeFolder } from "./run-command.ts";
import { openVerbWorld } from "./verb-world.ts";

test("a change of a part of the content is refused, because it would leave the rest empty", async () => {
  const { run, told } = await openVerbWorld();
  const content = ["--subject", "New", "--text", "New"];
  await run("campaigns", "create", "Own", "--subject", "Old", "--html", "<p>Old</p>");
  // A start without recipients would be refused.
  expect(told).toEqual([
    expect.stringContaining("Add recipients with: posthorn campaigns add 1 --recipients"),
  ]);
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

test("watching a campaign goes on across a restart of the server", async () => {
  // Nothing fails before it is watched.
  let asked = 3;
  const restarting = (api: Api): Api => ({
    ...api,
    on: (id) => restarting(api.on(id)),
    request(signature, ...rest) {
      asked += Number(signature === "GET /workspaces/current/campaigns/{id}");
      if (asked !== 2) return api.request(signature, ...rest);
      asked = 3;
      return Promise.reject(new ApiError("It restarts.", { status: 503, code: "unavailable" }));
    },
  });
  const { run, world, told } = await openVerbWorld(async ({ posthorn }) =>
    restarting(connectDirectly(posthorn)),
  );
  const folder = makeFolder();
  writeFileSync(join(folder, "list.csv"), "email\nada@example.com\n");
  const [made] = await run(
    ...["campaigns", "create", "Spring", "--subject", "Hi", "--text", "Hi"],
    ...["--from", "shop@shop.example", "--recipients", join(folder, "list.csv")],
    ...["--scheduled-at", new Date(world.clock.now() + 3_600_000).toISOString()],
  );
  await run("campaigns", "start", "Spring");
  asked = 0;
  const watching = run("campaigns", "watch", "Spring");
  await expect.poll(() => told.join("\n")).toContain("It restarts. Waiting for the server");
  await run("campaigns", "cancel", "Spring");
  expect(await watching).toMatchObject([{ id: (made as { id: number }).id, status: "cancelled" }]);
});

test("standard input given as the content and as the list is refused before a draft is made", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const { code, stderr } = await world.pipe(
    "<p>Hi</p>",
    ...["campaigns", "create", "Spring", "--workspace", "Shop", "--subject", "Hi"],
    ...["--html", "-", "--recipients", "-"],
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("Standard input was read already.")]);
  const as = { kind: "operator", name: "test" } as const;
  const { total } = await world.posthorn.campaigns.list({}, { as, workspaceId: workspace.id });
  expect(total).toBe(0);
});
