import { sideOf } from "@posthorn/storage-sql";
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

test("a host's transaction that drops a file, and stays open, holds up nobody who drops the same", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { attachments, campaigns } = world.posthorn;
  const shops: { workspaceId: number }[] = [];
  for (const _ of [1, 2, 3]) shops.push({ workspaceId: (await world.addWorkspace()).id });
  const made: { attachmentId: string; campaignId: number }[] = [];
  for (const shop of shops) {
    const content = Buffer.from("the price list");
    const { id: attachmentId } = await attachments.upload({ filename: "a.txt", content }, shop);
    const letter = { name: "News", subject: "News", text: "Hello.", attachments: [{ id: attachmentId }] };
    const { id: campaignId } = await campaigns.create(letter, shop);
    made.push({ attachmentId, campaignId });
  }
  const host = await openHost();
  for (const [at, { attachmentId, campaignId }] of made.slice(0, 2).entries()) {
    const call = { workspaceId: shops[at]?.workspaceId ?? 0, ...(at === 0 && { transaction: host }) };
    await attachments.delete({ attachmentId }, call);
    await campaigns.delete({ campaignId }, call);
  }
  await world.storage.workspaces.delete(shops[2]?.workspaceId ?? 0);
  const digestsLeft = async (hours: number) => {
    const now = world.clock.now() + hours * 3_600_000;
    for (let done = 1; done > 0; ) done = await world.storage.attachments.deleteUnused(now, 9);
    return sideOf(world.storage).db.selectFrom("blobs").select("digest").execute();
  };
  expect(await digestsLeft(2)).toHaveLength(1);
  await host.query("commit");
  expect(await digestsLeft(2)).toHaveLength(1);
  expect(await digestsLeft(4)).toEqual([]);
});
