import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open after deleting a disabled webhook holds up no other's deliveries", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn } = world;
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const add = ({ asOwner }: typeof shop) =>
    posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["email.sent"] }, asOwner);
  const [gone, other] = [await add(shop), await add(neighbour)];
  await posthorn.webhooks.test({ webhookId: gone.id }, shop.asOwner);
  await posthorn.webhooks.update({ webhookId: gone.id, isActive: false }, shop.asOwner);
  const host = await openHost();
  await posthorn.webhooks.delete({ webhookId: gone.id }, { ...shop.asOwner, transaction: host });
  await posthorn.webhooks.test({ webhookId: other.id }, neighbour.asOwner);
  await posthorn.drain();
  const { items } = await posthorn.webhooks.listDeliveries({ webhookId: other.id }, neighbour.asOwner);
  expect(items.map(({ status }) => status)).toEqual(["delivered"]);
  await host.query("rollback");
  await posthorn.drain();
  const { items: ended } = await posthorn.webhooks.listDeliveries({ webhookId: gone.id }, shop.asOwner);
  expect(ended.map(({ status }) => status)).toEqual(["failed"]);
});
