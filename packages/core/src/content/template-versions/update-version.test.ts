import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type World } from "../../testing/index.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
});
afterEach(() => world.close());

test("tells a note's former and new text, and changes nothing for parts that stay as they are", async () => {
  const { asOwner } = await world.addWorkspace();
  const { templates, templateVersions, events } = world.posthorn;
  const input = { name: "welcome", subject: "Hello {{name}}", text: "x", sampleData: { name: "Ada" } };
  const { id: templateId, activeVersionId: versionId } = await templates.create(input, asOwner);
  const update = (given: { note?: string; subject?: string; sampleData?: Record<string, unknown> }) =>
    templateVersions.update({ templateId, versionId, ...given }, asOwner);
  const noted = await update({ note: "first", subject: input.subject });
  world.clock.advance(1000);
  expect(await update({ note: "first", sampleData: { name: "Ada" } })).toEqual(noted);
  const { items } = await events.list({ type: "template_version.updated" });
  expect(items.map(({ metadata }) => metadata)).toEqual([
    { templateId, versionId, fields: ["note"], changes: { note: { from: "", to: "first" } } },
  ]);
});
