import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openVerbWorld } from "../../../test/verb-world.ts";
import { createDevTemplates } from "./dev-templates.ts";

async function open(files: Record<string, string>) {
  const { api, shop, world } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-templates-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (more: Record<string, string>): void => {
    for (const [file, text] of Object.entries(more)) writeFileSync(join(folder, file), text);
  };
  write(files);
  const templates = createDevTemplates(api.on(shop.id), { path: folder, to: "ada@example.com" });
  return { templates, write, folder, world, shop };
}

const welcome = {
  "welcome.html": "<h1>Hi {{name}} {{other}}</h1>",
  "welcome.json": '{"subject": "Hi {{name}}", "sample_data": {"name": "Ada"}}',
  "brand.css": "h1 { color: red }",
};

test("pushes a folder, renders it with sample data and stylesheets, and pushes only changes again", async () => {
  const { templates, write, shop, world } = await open(welcome);
  expect((await templates.push()).pushed.map(({ name }) => name)).toEqual(["brand", "welcome"]);
  const files = ["welcome.html", "welcome.json"];
  expect(templates.list()).toEqual([{ name: "welcome", files, version: 1 }]);
  expect(await templates.render("welcome")).toMatchObject({
    subject: "Hi Ada",
    html: '<h1 style="color: red;">Hi Ada </h1>',
    missing: ["other"],
    sampleData: { name: "Ada" },
  });
  const revision = templates.revision();
  expect(await templates.push()).toEqual({ pushed: [], faults: [], mended: [] });
  expect(templates.revision()).toBe(revision);
  write({ "welcome.html": "<h1>Hello {{name}}</h1>" });
  expect((await templates.push()).pushed).toMatchObject([
    { name: "welcome", diffs: [{ file: "welcome.html" }] },
  ]);
  expect(templates.revision()).not.toBe(revision);
  const { items } = await world.posthorn.templates.list({}, { workspaceId: shop.id });
  expect(items).toMatchObject([{ name: "welcome" }]);
  expect(templates.list()).toMatchObject([{ version: 2 }]);
  const [{ id: templateId = "" } = {}] = items;
  const active = await world.posthorn.templates.get({ templateId }, { workspaceId: shop.id });
  expect(active).toMatchObject({ versionNumber: 2, html: "<h1>Hello {{name}}</h1>" });
});

test("reports an error once with its file and line, continues with other templates, and shows the last good version", async () => {
  const { templates, write, folder } = await open(welcome);
  await templates.push();
  write({
    "welcome.html": "<p>\n  {{#items}}</p>",
    "hello.txt": "Hello",
    "hello.json": '{"subject": "Hello"}',
  });
  const { pushed, faults } = await templates.push();
  expect(pushed.map(({ name }) => name)).toEqual(["hello"]);
  expect(faults).toEqual([`${join(folder, "welcome.html")}:2:3: Section "items" is never closed.`]);
  expect(templates.list()).toMatchObject([
    { name: "hello", version: 1 },
    { name: "welcome", fault: faults[0], version: 1 },
  ]);
  expect(await templates.render("welcome")).toMatchObject({ subject: "Hi Ada" });
  expect((await templates.push()).faults).toEqual([]);
  write({ "welcome.html": welcome["welcome.html"], "brand.css": "h1 { color: {{a}} }" });
  const mended = await templates.push();
  expect(mended).toMatchObject({ mended: ["welcome"], pushed: [] });
  expect(mended.faults).toEqual([expect.stringContaining(`${join(folder, "brand.css")}:1:13: `)]);
  write({ "new.html": "<p>" });
  expect((await templates.push()).faults).toEqual([expect.stringContaining("it belongs in new.json")]);
  expect(await templates.render("new")).toBeUndefined();
});

test("sends a test e-mail with the sample data", async () => {
  const { templates, world } = await open(welcome);
  await templates.push();
  await expect(templates.send("nobody")).rejects.toMatchObject({ failure: "not_found" });
  await templates.send("welcome");
  await world.posthorn.drain();
  expect(world.mailer.inbox.all()).toMatchObject([{ envelope: { to: ["ada@example.com"] } }]);
});

test("of an empty folder shows no template, though the workspace has some", async () => {
  const { templates, world, shop } = await open({});
  await world.posthorn.templates.create({ name: "other", text: "x" }, { workspaceId: shop.id });
  await templates.push();
  expect(templates.list()).toEqual([]);
  expect(await templates.render("other")).toBeUndefined();
});
