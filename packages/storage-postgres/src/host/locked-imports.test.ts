import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open over a workspace's deletion holds up no report of others' abandoned imports", async () => {
  const { world, storage, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const at = world.clock.now();
  for (const { id: workspaceId } of [shop, neighbour])
    await storage.imports.add({
      name: `${workspaceId}`,
      workspaceId,
      event: `of ${workspaceId}`,
      count: 1,
      at,
    });
  const host = await openHost();
  const { name } = await world.posthorn.workspaces.get({}, { workspaceId: shop.id });
  await world.posthorn.workspaces.delete({ name }, { workspaceId: shop.id, transaction: host });
  const take = () => storage.imports.takeBefore(at + 1, 100);
  expect(await take()).toEqual([{ event: `of ${neighbour.id}`, count: 1 }]);
  await host.query("rollback");
  expect(await take()).toEqual([{ event: `of ${shop.id}`, count: 1 }]);
});
