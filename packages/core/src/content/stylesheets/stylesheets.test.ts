import { describe, expect, test } from "vitest";
import { codesOf, openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

const create = (name: string, css = "p { color: red }", as = workspace.asOwner) =>
  world.posthorn.stylesheets.create({ name, css }, as);

/** Returns the CSS that is inlined into the workspace's e-mails. */
async function cssInForce(): Promise<string | undefined> {
  const found = await world.storage.workspaces.find(workspace.id);
  if (found?.stylesheetSetId === undefined) return undefined;
  return (await world.storage.contents.findStylesheetSet(found.stylesheetSetId))?.css;
}

const eventsOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items
    .filter(({ type }) => type.startsWith("stylesheet."))
    .map(({ type, metadata }) => [type, JSON.parse(metadata)]);

const missing = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

test("a stylesheet is created, read, changed and deleted, with an event each that omits the css", async () => {
  const { stylesheets } = world.posthorn;
  const made = await create("brand");
  expect(made).toEqual({
    id: expect.any(String),
    name: "brand",
    css: "p { color: red }",
    createdAt: world.clock.now(),
    updatedAt: world.clock.now(),
  });
  const stylesheetId = made.id;
  expect(await stylesheets.get({ stylesheetId }, workspace.asOwner)).toEqual(made);
  world.clock.advance(1000);
  const updated = await stylesheets.update({ stylesheetId, css: "p { color: blue }" }, workspace.asOwner);
  expect(updated).toEqual({ ...made, css: "p { color: blue }", updatedAt: world.clock.now() });
  await stylesheets.update({ stylesheetId, name: "brand", css: "p { color: blue }" }, workspace.asOwner);
  await stylesheets.update({ stylesheetId, name: "house" }, workspace.asOwner);
  await stylesheets.delete({ stylesheetId }, workspace.asOwner);
  expect(await eventsOf()).toEqual([
    ["stylesheet.deleted", { stylesheet_id: stylesheetId, name: "house" }],
    [
      "stylesheet.updated",
      {
        stylesheet_id: stylesheetId,
        name: "house",
        fields: ["name"],
        changes: { name: { from: "brand", to: "house" } },
      },
    ],
    ["stylesheet.updated", { stylesheet_id: stylesheetId, name: "brand", fields: ["css"], changes: {} }],
    ["stylesheet.created", { stylesheet_id: stylesheetId, name: "brand" }],
  ]);
  const codes = await codesOf([
    stylesheets.get({ stylesheetId }, workspace.asOwner),
    stylesheets.update({ stylesheetId, name: "x" }, workspace.asOwner),
    stylesheets.delete({ stylesheetId }, workspace.asOwner),
  ]);
  expect(codes).toEqual(["not_found", "not_found", "not_found"]);
});

describe("the inlined css", () => {
  test("is all stylesheets in the order of their names, or nothing if there are none", async () => {
    const { stylesheets } = world.posthorn;
    expect(await cssInForce()).toBeUndefined();
    const b = await create("b", "b { color: red }");
    const a = await create("a", "a { color: red }");
    expect(await cssInForce()).toBe("a { color: red }\nb { color: red }");
    await stylesheets.update({ stylesheetId: a.id, name: "c" }, workspace.asOwner);
    expect(await cssInForce()).toBe("b { color: red }\na { color: red }");
    await stylesheets.update({ stylesheetId: b.id, css: "i { color: red }" }, workspace.asOwner);
    expect(await cssInForce()).toBe("i { color: red }\na { color: red }");
    await stylesheets.delete({ stylesheetId: a.id }, workspace.asOwner);
    await stylesheets.delete({ stylesheetId: b.id }, workspace.asOwner);
    expect(await cssInForce()).toBeUndefined();
  });

  test("includes all stylesheets created at once", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
    await Promise.all(names.map((name) => create(name, `.${name} { color: red }`)));
    expect(await cssInForce()).toBe(names.map((name) => `.${name} { color: red }`).join("\n"));
  });
});

describe("css is refused", () => {
  test.each(["p { color: red", "p { color: {{colour}} }", "p { color: red } </style><script>"])(
    "%j",
    async (css) => {
      await expect(create("bad", css)).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ path: "css" }],
      });
      expect(await cssInForce()).toBeUndefined();
    },
  );

  const long = "x".repeat(200 * 1024);

  test.each([
    ["word", long],
    ["word in a rule", `p { ${long} }`],
    ["property", `p { ${long}%: red }`],
    ["property outside any rule", `${long}: red;`],
  ])("quoting of a long %s no more than its beginning, as the refusal is remembered", async (_, css) => {
    const refused: unknown = await create("bad", css).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "validation_failed", details: [{ path: "css" }] });
    expect(String(refused)).toMatch(/Invalid CSS: .*xxx….* \(line 1, column \d+\)\.$/);
    expect(String(refused).length).toBeLessThan(250);
  });

  test("that is too large, alone or together with the others", async () => {
    const css = `/*${"x".repeat(130 * 1024)}*/`;
    await expect(create("huge", `${css}${css}`)).rejects.toMatchObject({ details: [{ path: "css" }] });
    await create("half", css);
    await expect(create("other", css)).rejects.toMatchObject({ details: [{ path: "css" }] });
    const half = (await world.posthorn.stylesheets.list({}, workspace.asOwner)).items[0];
    await world.posthorn.stylesheets.update(
      { stylesheetId: half?.id ?? "", css: `${css}p{}` },
      workspace.asOwner,
    );
  });

  test("when two created at once exceed the limit together, one is accepted", async () => {
    const css = `/*${"x".repeat(140 * 1024)}*/`;
    const codes = await codesOf([create("a", css), create("b", css)]);
    expect(codes.sort()).toEqual(["ok", "validation_failed"]);
  });
});

test("an import at the end of a stylesheet does not take the next one's first rule", async () => {
  await create("a", '@import "x.css"');
  await create("b", "p { color: red }");
  await create("c", "");
  expect(await cssInForce()).toBe('@import "x.css";\np { color: red }\n');
});

test("names are unique in the workspace; an empty update and foreign ids are refused", async () => {
  const { stylesheets } = world.posthorn;
  const { id: stylesheetId } = await create("brand");
  await create("other");
  const foreign = await world.addWorkspace();
  const codes = await codesOf([
    create("brand"),
    create("brand", "p { color: red }", foreign.asOwner),
    stylesheets.update({ stylesheetId, name: "other" }, workspace.asOwner),
    stylesheets.update({ stylesheetId }, workspace.asOwner),
    stylesheets.update({ stylesheetId, name: "x" }, foreign.asOwner),
    stylesheets.delete({ stylesheetId }, foreign.asOwner),
    stylesheets.get({ stylesheetId: missing }, workspace.asOwner),
    create(""),
  ]);
  expect(codes).toEqual([
    "stylesheet_name_taken",
    "ok",
    "stylesheet_name_taken",
    "validation_failed",
    "not_found",
    "not_found",
    "not_found",
    "validation_failed",
  ]);
});

test("lists come in pages; viewers read and editors write", async () => {
  const editor = await workspace.addMember("editor");
  const viewer = await workspace.addMember("viewer");
  for (const name of ["a", "b", "c"]) await create(name, "p { color: red }", workspace.as(editor));
  const { stylesheets } = world.posthorn;
  const page = await stylesheets.list({ page: 1, size: 2 }, workspace.as(viewer));
  expect(page).toMatchObject({ page: 1, size: 2, total: 3 });
  expect(page.items.map(({ name }) => name)).toEqual(["a"]);
  expect((await stylesheets.list({ page: 0, size: 1 }, workspace.as(viewer))).items[0]?.name).toBe("c");
  expect(await codesOf([create("d", "p { color: red }", workspace.as(viewer))])).toEqual(["forbidden"]);
});
