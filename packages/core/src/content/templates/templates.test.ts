import { describe, expect, test } from "vitest";
import { codesOf, openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

const create = (
  input: { name?: string; html?: string; text?: string; subject?: string } = {},
  as = workspace.asOwner,
) =>
  world.posthorn.templates.create(
    { name: "welcome", ...((input.html ?? input.text) ? {} : { text: "Hi" }), ...input },
    as,
  );

const eventsOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items
    .filter(({ type }) => type.startsWith("template"))
    .map(({ type, metadata }) => [type, JSON.parse(metadata)]);

const missing = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

describe("creating a template", () => {
  test("creates its first version, active, with one event without its content", async () => {
    const template = await world.posthorn.templates.create(
      {
        name: "welcome",
        description: "Says hello",
        subject: "Hello {{name}}",
        html: "<p>Hello {{name}}</p>",
        text: "Hello {{name}}",
        sampleData: { name: "Ada" },
        note: "first",
      },
      workspace.asOwner,
    );
    expect(template).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      name: "welcome",
      description: "Says hello",
      activeVersionId: expect.any(String),
      defaultLanguage: "en",
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(await world.posthorn.templates.get({ templateId: template.id }, workspace.asOwner)).toEqual({
      ...template,
      versionNumber: 1,
      subject: "Hello {{name}}",
      html: "<p>Hello {{name}}</p>",
      text: "Hello {{name}}",
      sampleData: { name: "Ada" },
      note: "first",
    });
    expect(await eventsOf()).toEqual([["template.created", { template_id: template.id, name: "welcome" }]]);
  });

  test("requires html or text", async () => {
    const { templates } = world.posthorn;
    for (const input of [{}, { html: "", text: "" }, { subject: "Hello" }]) {
      await expect(templates.create({ name: "empty", ...input }, workspace.asOwner)).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ path: "html", message: "is required unless text is given" }],
      });
    }
    expect((await templates.list({}, workspace.asOwner)).total).toBe(0);
  });

  test("reports the position of a syntax error", async () => {
    await expect(create({ html: "<p>\n  {{#a}}</p>" })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "html", message: expect.stringContaining("line 2, column 3") }],
    });
    await expect(create({ text: "{{name" })).rejects.toMatchObject({ details: [{ path: "text" }] });
    await expect(create({ subject: "one\ntwo" })).rejects.toMatchObject({ details: [{ path: "subject" }] });
  });

  test("refuses html that can't be inlined within the limits", async () => {
    const deep = "<style>p { color: red }</style>" + "<div>".repeat(300) + "</div>".repeat(300);
    await expect(create({ html: deep })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "html" }],
    });
  });

  test.each(["", "  ", "two\nlines", "x".repeat(101)])("refuses the name %j", async (name) => {
    await expect(create({ name })).rejects.toMatchObject({ details: [{ path: "name" }] });
  });

  test("accepts a name once in a workspace, in whatever form it is typed", async () => {
    await create({ name: "cafe\u0301" });
    const other = await world.addWorkspace();
    const codes = await codesOf([
      create({ name: "café" }),
      create({ name: "Café" }),
      create({ name: "café" }, other.asOwner),
    ]);
    expect(codes).toEqual(["template_name_taken", "ok", "ok"]);
    const racing = await codesOf(Array.from({ length: 10 }, () => create({ name: "racer" })));
    expect(racing.filter((code) => code === "ok")).toHaveLength(1);
    expect(racing.filter((code) => code === "template_name_taken")).toHaveLength(9);
  });

  test("is for editors and above; viewers read", async () => {
    const editor = await workspace.addMember("editor");
    const viewer = await workspace.addMember("viewer");
    const { id: templateId } = await create({}, workspace.as(editor));
    const { templates } = world.posthorn;
    const codes = await codesOf([
      create({ name: "other" }, workspace.as(viewer)),
      templates.update({ templateId, name: "x" }, workspace.as(viewer)),
      templates.delete({ templateId }, workspace.as(viewer)),
      templates.get({ templateId }, workspace.as(viewer)),
      templates.list({}, workspace.as(viewer)),
    ]);
    expect(codes).toEqual(["forbidden", "forbidden", "forbidden", "ok", "ok"]);
  });
});

test("pages of lists count from zero, newest first", async () => {
  for (const name of ["a", "b", "c"]) await create({ name });
  const { templates } = world.posthorn;
  const names = async (page?: number) =>
    (await templates.list({ size: 2, ...(page === undefined ? {} : { page }) }, workspace.asOwner)).items.map(
      ({ name }) => name,
    );
  expect([await names(), await names(0), await names(1), await names(2)]).toEqual([
    ["c", "b"],
    ["c", "b"],
    ["a"],
    [],
  ]);
  expect(await templates.list({ page: 0 }, workspace.asOwner)).toMatchObject({ page: 0, size: 20, total: 3 });
  expect(Object.keys((await templates.list({}, workspace.asOwner)).items[0] ?? {}).sort()).toEqual(
    ["activeVersionId", "createdAt", "defaultLanguage", "description", "id", "name", "updatedAt"].sort(),
  );
  await expect(templates.list({ size: 101 }, workspace.asOwner)).rejects.toMatchObject({
    code: "validation_failed",
  });
});

describe("updating a template", () => {
  test("changes the given fields, with one event that lists the actual changes", async () => {
    const { id: templateId } = await create();
    world.clock.advance(1000);
    const updated = await world.posthorn.templates.update(
      { templateId, name: "hello", description: "", defaultLanguage: "pt-BR" },
      workspace.asOwner,
    );
    expect(updated).toMatchObject({ name: "hello", defaultLanguage: "pt-BR", updatedAt: world.clock.now() });
    await world.posthorn.templates.update({ templateId, name: "hello" }, workspace.asOwner);
    expect((await eventsOf()).filter(([type]) => type === "template.updated")).toEqual([
      [
        "template.updated",
        {
          template_id: templateId,
          changes: {
            name: { from: "welcome", to: "hello" },
            default_language: { from: "en", to: "pt-BR" },
          },
        },
      ],
    ]);
  });

  test("refuses an empty update, bad languages, taken names and foreign ids", async () => {
    const { id: templateId } = await create();
    await create({ name: "other" });
    const foreign = await world.addWorkspace();
    const { update } = world.posthorn.templates;
    const codes = await codesOf([
      update({ templateId }, workspace.asOwner),
      update({ templateId, defaultLanguage: "not a language" }, workspace.asOwner),
      update({ templateId, name: "other" }, workspace.asOwner),
      update({ templateId, name: "mine" }, foreign.asOwner),
      update({ templateId: missing, name: "mine" }, workspace.asOwner),
      update({ templateId: "1", name: "mine" }, workspace.asOwner),
    ]);
    expect(codes).toEqual([
      "validation_failed",
      "validation_failed",
      "template_name_taken",
      "not_found",
      "not_found",
      "validation_failed",
    ]);
  });
});

test("deleting a template deletes it and its versions, once, in its own workspace", async () => {
  const { id: templateId } = await create();
  const foreign = await world.addWorkspace();
  const { templates, templateVersions } = world.posthorn;
  expect(await codesOf([templates.delete({ templateId }, foreign.asOwner)])).toEqual(["not_found"]);
  await templates.delete({ templateId }, workspace.asOwner);
  const codes = await codesOf([
    templates.get({ templateId }, workspace.asOwner),
    templateVersions.list({ templateId }, workspace.asOwner),
    templates.delete({ templateId }, workspace.asOwner),
  ]);
  expect(codes).toEqual(["not_found", "not_found", "not_found"]);
  expect((await eventsOf())[0]).toEqual(["template.deleted", { template_id: templateId, name: "welcome" }]);
  await create();
});
