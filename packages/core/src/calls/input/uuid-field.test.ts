import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

test("an id in capital letters is the same id", async () => {
  const { templates, emails } = world.posthorn;
  const { id, activeVersionId } = await templates.create({ name: "t", text: "x" }, workspace.asOwner);
  expect(await templates.get({ templateId: id.toUpperCase() }, workspace.asOwner)).toMatchObject({ id });
  const sent = { template: "t", to: ["ada@example.com"], templateVersionId: activeVersionId.toUpperCase() };
  expect(await emails.sendTemplate(sent, { workspaceId: workspace.id })).toMatchObject({
    templateVersionId: activeVersionId,
  });
});

test("no input takes ids in another way", () => {
  const src = join(import.meta.dirname, "..");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const others = files.filter((file) =>
    /\.uuid\([^)]*\)(?!\.toLowerCase\(\))/.test(readFileSync(join(src, file), "utf8")),
  );
  expect(others).toEqual([]);
});
