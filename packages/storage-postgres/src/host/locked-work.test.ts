import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open over a workspace's deletion holds up no other's campaign, erasure, check of a domain or report of an abandoned import", async () => {
  const { world, storage, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn, clock } = world;
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const at = clock.now();
  for (const { id: workspaceId, asOwner } of [shop, neighbour]) {
    const import_ = { name: `${workspaceId}`, workspaceId, event: `of ${workspaceId}`, count: 1, at };
    await storage.imports.add(import_);
    const content = { name: "Spring", subject: "Hi", text: "Hello", unsubscribe: false as const };
    const recipients = [{ to: "ada@example.com" }];
    const { id: campaignId } = await posthorn.campaigns.create({ ...content, recipients }, asOwner);
    await posthorn.campaigns.start({ campaignId }, asOwner);
    await posthorn.recipients.erase({ email: "eve@example.com" }, { workspaceId });
    const { id } = await posthorn.domains.create({ name: `shop${workspaceId}.example` }, asOwner);
    await storage.domains.update(workspaceId, id, { nextCheckAt: at });
  }
  const host = await openHost();
  const { name } = await posthorn.workspaces.get({}, { workspaceId: shop.id });
  await posthorn.workspaces.delete({ name }, { workspaceId: shop.id, transaction: host });
  const take = () => storage.imports.takeBefore(at + 1, 100);
  expect(await take()).toEqual([{ event: `of ${neighbour.id}`, count: 1 }]);
  const [now, until] = [clock.now() + 1, clock.now() + 9];
  expect((await storage.campaigns.take("w", now, 9))?.campaign.workspaceId).toBe(neighbour.id);
  const others = [await storage.erasures.take(now, until, 9), await storage.domains.takeDue(now, until, 9)];
  expect(others.flat().map(({ workspaceId }) => workspaceId)).toEqual([neighbour.id, neighbour.id]);
  await host.query("rollback");
  expect(await take()).toEqual([{ event: `of ${shop.id}`, count: 1 }]);
});
