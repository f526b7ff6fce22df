import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that replaces a content and a style, and stays open, holds up nobody who replaces the same", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { templates, templateVersions, stylesheets } = world.posthorn;
  const shops = [await world.addWorkspace(), await world.addWorkspace()];
  const made: { templateId: string; versionId: string; stylesheetId: string }[] = [];
  for (const { asOwner } of shops) {
    const { id: templateId, activeVersionId = "" } = await templates.create(
      { name: "order", text: "Sent." },
      asOwner,
    );
    const { id: stylesheetId } = await stylesheets.create({ name: "shop", css: "p { color: red }" }, asOwner);
    made.push({ templateId, versionId: activeVersionId ?? "", stylesheetId });
  }
  const host = await openHost();
  const change = async (at: number, text: string, transaction?: typeof host) => {
    const call = { ...shops[at]?.asOwner, ...(transaction && { transaction }) } as never;
    const { templateId = "", versionId = "", stylesheetId = "" } = made[at] ?? {};
    await templateVersions.update({ templateId, versionId, text }, call);
    await stylesheets.update({ stylesheetId, css: `p { color: ${text} }` }, call);
  };
  await change(0, "blue", host);
  await change(1, "green");
  await host.query("commit");
  expect(await world.storage.contents.deleteUnused(9)).toBeGreaterThan(0);
});
