import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a change of a campaign to the content and files that it has tells of none, though a host stored the same meanwhile", async () => {
  const { world, openHost } = await openLockingWorld();
  const { campaigns, events } = world.posthorn;
  const { asOwner, id: workspaceId } = await world.addWorkspace();
  const attachments = [{ filename: "a.txt", content: new TextEncoder().encode("a") }];
  const fields = { name: "Spring", subject: "Hi", text: "Hello", attachments };
  const host = await openHost();
  await campaigns.create({ ...fields, name: "The host's" }, { workspaceId, transaction: host });
  const { id: campaignId } = await campaigns.create(fields, asOwner);
  await host.query("commit");
  await campaigns.update({ campaignId, ...fields }, asOwner);
  expect((await events.list({ type: "campaign.updated" })).items).toEqual([]);
  await campaigns.update({ campaignId, ...fields, text: "Goodbye" }, asOwner);
  const { items } = await events.list({ type: "campaign.updated" });
  expect(items.map(({ metadata }) => metadata)).toMatchObject([
    { changes: { content: { from: "former", to: "new" } } },
  ]);
});
