import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open after revoking a key holds up no other's announcement", async () => {
  const { world, storage, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn, clock } = world;
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const add = ({ asOwner }: typeof shop) =>
    posthorn.apiKeys.create({ name: "Key", expiresInDays: 40 }, asOwner);
  const revoked = await add(shop);
  await add(neighbour);
  clock.advance(30 * 86_400_000);
  const host = await openHost();
  await posthorn.apiKeys.revoke({ apiKeyId: revoked.id }, { ...shop.asOwner, transaction: host });
  const take = async () =>
    (await storage.apiKeys.takeExpiring(clock.now(), 100)).map(({ workspaceId }) => workspaceId);
  expect(await take()).toEqual([neighbour.id]);
  await host.query("rollback");
  expect(await take()).toEqual([shop.id]);
});
