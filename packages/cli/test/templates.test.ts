import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addShop, type CommandWorld, openCommandWorld } from "./command-world.ts";

const of = ["--workspace", "Shop"];

function writeMail({ cwd }: CommandWorld, files: Record<string, string>): void {
  mkdirSync(join(cwd, "mail"), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, "mail", name), content);
}

const welcome = {
  "welcome.html": "<h1>Hi {{name}}</h1>\n",
  "welcome.txt": "Hi {{name}}\n",
  "welcome.json": '{"subject": "Welcome, {{name}}", "sample_data": {"name": "Ada"}}',
  "brand.css": "h1 { color: red }\n",
};

test("pushes a folder: first as a dry run, then for real, and only once", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  writeMail(world, welcome);
  const push = ["templates", "push", "mail", ...of];
  const files = expect.arrayContaining(["welcome.html", "welcome.txt", "welcome.json"]);
  expect(await world.json(...push, "--dry-run")).toMatchObject([
    { kind: "stylesheet", name: "brand", action: "create", done: false },
    { kind: "template", name: "welcome", action: "create", done: false, files },
  ]);
  expect((await world.posthorn.templates.list({}, { workspaceId: workspace.id })).total).toBe(0);
  expect(await world.json(...push)).toMatchObject([{ done: true }, { done: true }]);
  const [again, shown] = await Promise.all([
    world.json(...push),
    world.run("templates", "preview", "welcome", ...of),
  ]);
  expect(again).toMatchObject([{ action: "unchanged" }, { action: "unchanged" }]);
  expect(shown.stdout).toBe('<h1 style="color: red;">Hi Ada</h1>\n');
});

test("a changed file becomes a new version once, which is sent once activated", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const call = { workspaceId: workspace.id };
  const { id: templateId } = await world.posthorn.templates.create(
    { name: "hi", text: "Hi\n", subject: "S" },
    call,
  );
  writeMail(world, { "hi.txt": "Hello\n" });
  const push = ["templates", "push", "mail", ...of];
  expect(await world.json(...push)).toMatchObject([{ action: "add_version", files: ["hi.txt"], done: true }]);
  expect(await world.posthorn.templates.get({ templateId }, call)).toMatchObject({ versionNumber: 1 });
  const [again, diff] = await Promise.all([world.json(...push), world.run("templates", "diff", "hi", ...of)]);
  expect(again).toMatchObject([{ action: "unchanged" }]);
  expect(diff.stdout).toBe("hi.txt\n- Hi\n+ Hello\n");

  expect(await world.json(...push, "--activate")).toMatchObject([{ action: "activate", done: true }]);
  const active = await world.posthorn.templates.get({ templateId }, call);
  expect(active).toMatchObject({ versionNumber: 2, text: "Hello\n", subject: "S" });
});

test("a bad template stops the push, is named with its position, and leaves the rest for another run", async () => {
  const world = await openCommandWorld();
  await addShop(world);
  writeMail(world, {
    "a.txt": "fine\n",
    "b.html": "<p>{{#open}}</p>",
    "c.txt": "later\n",
    "package.json": "{}",
    "a.json": '{"subject": "A"}',
  });
  const silent = await world.run("templates", "push", "mail", ...of);
  expect(silent).toMatchObject({ code: 2, stdout: "" });
  expect(silent.stderr).toContain(
    "No file has the subject of 2 new templates: it belongs in b.json, c.json.",
  );
  writeMail(world, { "b.json": '{"subject": "B"}', "c.json": '{"subject": ""}' });
  const failed = await world.run("templates", "push", "mail", ...of);
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain("html");
  writeMail(world, { "b.html": "<p>closed</p>" });
  const second = await world.json<{ name: string; action: string }[]>("templates", "push", "mail", ...of);
  expect(second.map(({ name, action }) => `${name} ${action}`)).toEqual([
    "a unchanged",
    "b create",
    "c create",
  ]);

  writeMail(world, { "b.json": '{"subjekt": "x"}' });
  const [typo, missing] = await Promise.all([
    world.run("templates", "push", "mail", ...of),
    world.run("templates", "push", "nowhere", ...of),
  ]);
  expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining('"subjekt"') });
  expect(missing.code).toBe(3);
});

test("a dry run reports everything that the push would refuse, with its place and the push's exit code", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  writeMail(world, {
    "brand.css": "h1 { color: red }\n3 }\n",
    "fine.txt": "fine\n",
    "fine.json": '{"subject": "F"}',
    "news.html": "<p>news</p>\n<p>{{ .Subscriber.Name }}</p>\n",
    "news.json": '{"subject": "{{#who}}"}',
    "old.txt": "{{/before}}",
  });
  await world.posthorn.templates.create({ name: "old", text: "Hi" }, { workspaceId: workspace.id });
  const push = ["templates", "push", "mail", ...of];
  const tried = await world.run(...push, "--dry-run");
  const [{ code }, sheet] = await Promise.all([
    world.run(...push, "news"),
    world.run("stylesheets", "push", "mail", "--dry-run", ...of),
  ]);
  expect(tried).toMatchObject({ code, stdout: "" });
  expect(code).toBe(2);
  for (const place of ["brand.css:2:", "news.json:1: subject: Section ", "old.txt:1:1: "])
    expect(tried.stderr).toContain(place);
  expect(sheet).toMatchObject({ code: 2, stderr: expect.stringContaining("brand.css:2:") });
  writeMail(world, { "news.json": '{"subject": "N"}' });
  const [again, pushed] = await Promise.all([
    world.run(...push, "news", "--dry-run"),
    world.run(...push, "news"),
  ]);
  expect(again.stderr).toContain("news.html:2:4: ");
  expect(again).toEqual(pushed);
});

test("a fault in a template does not refuse others that are pushed by name, nor stylesheets", async () => {
  const world = await openCommandWorld();
  await addShop(world);
  writeMail(world, {
    "brand.css": "p { margin: 0 }",
    "fine.txt": "fine",
    "fine.json": '{"subject": "F"}',
    "other.html": "<p>other</p>",
    "other.json": "{",
    // No project here has its packages.
    "rendered.tsx": "export default () => null;",
  });
  expect(await world.json("templates", "push", "mail", "fine", ...of)).toMatchObject([
    { name: "fine", done: true },
  ]);
  expect(await world.json("stylesheets", "push", "mail", ...of)).toMatchObject([
    { name: "brand", done: true },
  ]);
  expect((await world.run("templates", "push", "mail", ...of)).stderr).toContain("other.json:1");
});

test("a pull writes files that push back unchanged, and overwrites no local changes without --force", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const call = { workspaceId: workspace.id };
  await world.posthorn.templates.create({ name: "../up:1", text: "Hi\n", subject: "S" }, call);
  await world.posthorn.stylesheets.create({ name: "brand", css: "p { margin: 0 }\n" }, call);
  const pull = ["templates", "pull", "mail", ...of];
  expect(await world.json(...pull)).toHaveLength(3);
  const files = readdirSync(join(world.cwd, "mail")).sort();
  expect(files).toEqual(["%2E.%2Fup%3A1.json", "%2E.%2Fup%3A1.txt", "brand.css"]);
  const pushed = await world.json<{ action: string }[]>("templates", "push", "mail", ...of);
  expect(pushed.map(({ action }) => action)).toEqual(["unchanged", "unchanged"]);

  writeMail(world, { "brand.css": "p { margin: 1px }\n" });
  const unsure = await world.run(...pull);
  expect(unsure).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(readFileSync(join(world.cwd, "mail", "brand.css"), "utf8")).toContain("1px");
  expect((await world.run("stylesheets", "pull", "mail", ...of, "--yes")).code).toBe(0);
  expect(readFileSync(join(world.cwd, "mail", "brand.css"), "utf8")).toBe("p { margin: 0 }\n");
  expect(await world.json("stylesheets", "push", "mail", ...of)).toMatchObject([{ action: "unchanged" }]);
});

test("previews, tests and activates versions by number", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const call = { workspaceId: workspace.id };
  const { id: templateId } = await world.posthorn.templates.create(
    { name: "hi", text: "one {{n}}", subject: "S" },
    call,
  );
  await world.posthorn.templateVersions.create({ templateId, text: "two {{n}}", subject: "S" }, call);
  const [preview, tested, numbers] = await Promise.all([
    world.run("templates", "preview", "hi", "--newest", "--data", '{"n": 7}', ...of),
    world.json("templates", "test", "hi", "--version-number", "2", "--to", "ada@example.com", ...of),
    world.json<{ version_number: number }[]>("templates", "versions", "hi", ...of),
  ]);
  expect(preview).toMatchObject({ code: 0, stdout: "two 7\n" });
  expect(tested).toMatchObject({ subject: "[Test] S", to: ["ada@example.com"], template: "hi" });
  expect(numbers.map(({ version_number }) => version_number)).toEqual([2, 1]);

  const [missing, badData, activated] = await Promise.all([
    world.run("templates", "activate", "hi", "9", ...of),
    world.run("templates", "preview", "hi", "--data", "[1]", ...of),
    world.json("templates", "activate", "hi", ...of),
  ]);
  expect([missing.code, badData.code]).toEqual([3, 2]);
  expect(activated["active_version_id"]).toBe(
    (await world.posthorn.templateVersions.list({ templateId }, call)).items[0]?.id,
  );
});

test("a pull empties the file of a part that the template has no longer: the next push would bring it back", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const call = { workspaceId: workspace.id };
  writeMail(world, welcome);
  await world.run("templates", "push", "mail", "--activate", ...of);
  const [template] = (await world.posthorn.templates.list({}, call)).items;
  const content = { subject: "Welcome, {{name}}", text: "Hi {{name}}\n", sampleData: { name: "Ada" } };
  await world.posthorn.templateVersions.create({ templateId: template?.id ?? "", ...content }, call);
  const pulled = await world.json("templates", "pull", "mail", "--yes", ...of);
  expect(pulled).toContainEqual({
    ...{ kind: "file", name: "welcome.html", action: "write", done: true },
    files: ["welcome.html"],
  });
  expect(await world.json("templates", "push", "mail", ...of)).toMatchObject([
    { action: "unchanged" },
    { action: "unchanged" },
  ]);
});

test("types takes the place of no device, such as /dev/stdout", async () => {
  const world = await openCommandWorld();
  await addShop(world);
  const device = join(world.cwd, "device");
  symlinkSync("/dev/null", device);
  expect(await world.run("templates", "types", "--output", device, ...of)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("device is no file, and would be replaced by one."),
  });
  expect(lstatSync(device).isSymbolicLink()).toBe(true);
});
