import { beforeEach, describe, expect, test } from "vitest";
import { codesOf, openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

let templateId: string;
let firstId: string;
openWorldForEach();
beforeEach(async () => {
  const template = await world.posthorn.templates.create(
    {
      name: "welcome",
      subject: "Hello {{name}}",
      html: "<p class=lead>Hello {{name}}</p>",
      sampleData: { name: "Ada" },
    },
    workspace.asOwner,
  );
  templateId = template.id;
  firstId = template.activeVersionId;
});

const addVersion = (
  input: { html?: string; text?: string; subject?: string; note?: string } = { text: "Bye" },
) => world.posthorn.templateVersions.create({ templateId, ...input }, workspace.asOwner);

const eventsOf = async (type: string) =>
  (await world.storage.events.list({ workspaceId: workspace.id, type }, { offset: 0, limit: 50 })).items.map(
    ({ metadata }) => JSON.parse(metadata),
  );

const missing = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

describe("creating a version", () => {
  test("numbers it next and leaves the active one active", async () => {
    const version = await addVersion({ text: "Bye {{name}}", subject: "Bye", note: "shorter" });
    expect(version).toEqual({
      id: expect.any(String),
      templateId,
      versionNumber: 2,
      subject: "Bye",
      html: "",
      text: "Bye {{name}}",
      sampleData: {},
      note: "shorter",
      isActive: false,
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(await world.posthorn.templates.get({ templateId }, workspace.asOwner)).toMatchObject({
      activeVersionId: firstId,
    });
    expect(await eventsOf("template_version.created")).toEqual([
      { template_id: templateId, version_id: version.id, version_number: 2 },
    ]);
  });

  test("gives each its own number when many are created at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => addVersion()));
    expect(made.map(({ versionNumber }) => versionNumber).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
  });

  test("refuses empty and invalid contents, and unknown templates", async () => {
    const foreign = await world.addWorkspace();
    const viewer = await workspace.addMember("viewer");
    const { create } = world.posthorn.templateVersions;
    await expect(addVersion({})).rejects.toMatchObject({ details: [{ path: "html" }] });
    await expect(addVersion({ text: "a\n{{/b}}" })).rejects.toMatchObject({
      details: [{ path: "text", message: expect.stringContaining("line 2") }],
    });
    const deep = "<style>p { color: red }</style>" + "<div>".repeat(300);
    const codes = await codesOf([
      create({ templateId: missing, text: "Hi" }, workspace.asOwner),
      // Its html is not even inlined.
      create({ templateId: missing, html: deep }, workspace.asOwner),
      create({ templateId, text: "Hi" }, foreign.asOwner),
      create({ templateId, text: "Hi" }, workspace.as(viewer)),
    ]);
    expect(codes).toEqual(["not_found", "not_found", "not_found", "forbidden"]);
  });
});

test("lists show every version, newest first, with its subject and whether it is active", async () => {
  await addVersion({ text: "Bye", subject: "Bye", note: "n" });
  const { items: versions } = await world.posthorn.templateVersions.list({ templateId }, workspace.asOwner);
  expect(versions).toMatchObject([
    { versionNumber: 2, subject: "Bye", note: "n", isActive: false },
    { versionNumber: 1, subject: "Hello {{name}}", isActive: true },
  ]);
  expect(versions[0]).not.toHaveProperty("html");
});

test("a page of a list has a hundred versions, however many there are", async () => {
  for (let made = 1; made <= 100; made += 1) await addVersion();
  const { list } = world.posthorn.templateVersions;
  const first = await list({ templateId }, workspace.asOwner);
  expect([first.items.length, first.total]).toEqual([100, 101]);
  const { items } = await list({ templateId, after: first.after ?? "" }, workspace.asOwner);
  expect(items).toMatchObject([{ id: firstId, versionNumber: 1 }]);
});

describe("updating a version", () => {
  const update = (input: {
    html?: string;
    text?: string;
    note?: string;
    subject?: string;
    sampleData?: Record<string, unknown>;
  }) =>
    world.posthorn.templateVersions.update({ templateId, versionId: firstId, ...input }, workspace.asOwner);

  test("changes only the given parts, with one event that names them", async () => {
    const updated = await update({ text: "Hello", sampleData: { name: "Grace" }, note: "" });
    expect(updated).toMatchObject({
      subject: "Hello {{name}}",
      html: "<p class=lead>Hello {{name}}</p>",
      text: "Hello",
      sampleData: { name: "Grace" },
      isActive: true,
    });
    expect(
      await world.posthorn.templateVersions.get({ templateId, versionId: firstId }, workspace.asOwner),
    ).toEqual(updated);
    expect(await eventsOf("template_version.updated")).toEqual([
      { template_id: templateId, version_id: firstId, fields: ["text", "sample_data"], changes: {} },
    ]);
  });

  test("preserves the content that a queued e-mail refers to", async () => {
    const before = await world.storage.templates.findVersion(workspace.id, templateId, firstId);
    await update({ html: "<p>Other</p>" });
    expect(await world.storage.contents.find(before?.contentId ?? 0)).toMatchObject({
      html: "<p class=lead>Hello {{name}}</p>",
    });
  });

  test("of different parts at once applies both", async () => {
    await Promise.all([update({ text: "One" }), update({ subject: "Two" })]);
    expect(
      await world.posthorn.templateVersions.get({ templateId, versionId: firstId }, workspace.asOwner),
    ).toMatchObject({
      text: "One",
      subject: "Two",
    });
  });

  test("refuses an empty update, empty and invalid contents, and unknown versions", async () => {
    const foreign = await world.addWorkspace();
    const { templateVersions } = world.posthorn;
    const codes = await codesOf([
      update({}),
      update({ html: "" }),
      update({ html: "{{#a}}" }),
      templateVersions.update({ templateId, versionId: missing, text: "x" }, workspace.asOwner),
      templateVersions.update({ templateId, versionId: firstId, text: "x" }, foreign.asOwner),
    ]);
    expect(codes).toEqual([
      "validation_failed",
      "validation_failed",
      "validation_failed",
      "not_found",
      "not_found",
    ]);
    expect(await eventsOf("template_version.updated")).toEqual([]);
  });
});

describe("activating and deleting", () => {
  test("activation changes the active version, with one event", async () => {
    const { id: versionId } = await addVersion();
    const { templateVersions } = world.posthorn;
    const template = await templateVersions.activate({ templateId, versionId }, workspace.asOwner);
    expect(template).toMatchObject({ id: templateId, activeVersionId: versionId });
    await templateVersions.activate({ templateId, versionId }, workspace.asOwner);
    const { items: versions } = await templateVersions.list({ templateId }, workspace.asOwner);
    expect(versions.map(({ isActive }) => isActive)).toEqual([true, false]);
    expect(await eventsOf("template_version.activated")).toEqual([
      { template_id: templateId, from: firstId, to: versionId },
    ]);
  });

  test("the active version can't be deleted; another can, once", async () => {
    const { id: versionId } = await addVersion();
    const { templateVersions } = world.posthorn;
    const remove = (id: string) => templateVersions.delete({ templateId, versionId: id }, workspace.asOwner);
    expect(await codesOf([remove(firstId), remove(versionId)])).toEqual(["active_version", "ok"]);
    const codes = await codesOf([
      remove(versionId),
      templateVersions.activate({ templateId, versionId }, workspace.asOwner),
      templateVersions.get({ templateId, versionId }, workspace.asOwner),
    ]);
    expect(codes).toEqual(["not_found", "not_found", "not_found"]);
    expect(await eventsOf("template_version.deleted")).toEqual([
      { template_id: templateId, version_id: versionId, version_number: 2 },
    ]);
    expect((await addVersion()).versionNumber).toBe(3);
  });

  test("a version of another template is not found", async () => {
    const other = await world.posthorn.templates.create({ name: "other", text: "x" }, workspace.asOwner);
    const key = { templateId, versionId: other.activeVersionId };
    const { templateVersions } = world.posthorn;
    const codes = await codesOf([
      templateVersions.activate(key, workspace.asOwner),
      templateVersions.delete(key, workspace.asOwner),
      templateVersions.get(key, workspace.asOwner),
      templateVersions.preview(key, workspace.asOwner),
    ]);
    expect(codes).toEqual(["not_found", "not_found", "not_found", "not_found"]);
  });

  test("concurrent calls never delete the active version", async () => {
    for (let round = 0; round < 10; round++) {
      const { id: versionId } = await addVersion();
      const { templateVersions } = world.posthorn;
      await codesOf([
        templateVersions.activate({ templateId, versionId }, workspace.asOwner),
        templateVersions.delete({ templateId, versionId }, workspace.asOwner),
      ]);
      const { activeVersionId } = await world.posthorn.templates.get({ templateId }, workspace.asOwner);
      const { items: versions } = await templateVersions.list({ templateId }, workspace.asOwner);
      expect(versions.filter(({ isActive }) => isActive).map(({ id }) => id)).toEqual([activeVersionId]);
    }
  });
});

describe("a preview", () => {
  const preview = (templateData?: Record<string, unknown>, versionId = firstId, as = workspace.asOwner) =>
    world.posthorn.templateVersions.preview(
      { templateId, versionId, ...(templateData === undefined ? {} : { templateData }) },
      as,
    );

  test("shows the version with its sample data, stylesheets inlined, the text made from the html", async () => {
    await world.posthorn.stylesheets.create(
      { name: "brand", css: ".lead { color: red }" },
      workspace.asOwner,
    );
    const shown = await preview();
    expect(shown).toEqual({
      subject: "Hello Ada",
      html: expect.stringMatching(/<p style="color: red;" class=lead>Hello Ada<\/p>/),
      text: expect.stringContaining("Hello Ada"),
      missing: [],
    });
  });

  test("shows given data escaped, and names what is missing", async () => {
    expect(await preview({ name: "<b>" })).toMatchObject({
      subject: "Hello <b>",
      html: expect.stringContaining("Hello &lt;b&gt;"),
      missing: [],
    });
    expect(await preview({})).toMatchObject({ subject: "Hello ", missing: ["name"] });
  });

  test("reports a limit that is exceeded", async () => {
    const { id } = await addVersion({ text: "{{#a}}x{{/a}}" });
    await expect(preview({ a: Array.from({ length: 10_001 }, () => 1) }, id)).rejects.toMatchObject({
      code: "template_render_failed",
    });
  });

  test("is for editors and above", async () => {
    const editor = await workspace.addMember("editor");
    const viewer = await workspace.addMember("viewer");
    const codes = await codesOf([
      preview(undefined, firstId, workspace.as(editor)),
      preview(undefined, firstId, workspace.as(viewer)),
    ]);
    expect(codes).toEqual(["ok", "forbidden"]);
  });
});

test("a test to a suppressed address, without a mail server, or beyond a limit is refused", async () => {
  const testOf = (versionId: string, to = "ada@example.com", templateData = {}) =>
    world.posthorn.templateVersions.test({ templateId, versionId, to, templateData }, workspace.asOwner);
  await world.posthorn.suppressions.create({ email: "gone@example.com" }, workspace.asOwner);
  const { id: looping } = await addVersion({ text: "{{#a}}x{{/a}}" });
  const refused = [
    testOf(firstId, "gone@example.com"),
    testOf(looping, undefined, { a: Array.from({ length: 10_001 }, () => 1) }),
  ];
  expect(await codesOf(refused)).toEqual(["all_recipients_suppressed", "template_render_failed"]);
  await world.posthorn.settings.update({ platformServer: false }, workspace.asOwner);
  expect(await codesOf([testOf(firstId)])).toEqual(["no_smtp_server"]);
});
