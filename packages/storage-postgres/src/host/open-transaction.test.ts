import { StorageUnavailable } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open after a send holds up its workspace's other sends, and no other's", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn } = world;
  await posthorn.plans.create({ name: "Limited", hourlyRateLimit: 100, isDefault: true });
  const [shop, neighbour] = [(await world.addWorkspace()).id, (await world.addWorkspace()).id];
  const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"] };
  const send = (workspaceId: number) =>
    posthorn.emails.send(mail, { workspaceId }).then(
      () => "ok",
      (error: unknown) => (error instanceof StorageUnavailable && error.isLocked ? "locked" : error),
    );
  const sendAll = () => Promise.all([shop, neighbour, shop, neighbour].map(send));
  await send(neighbour);
  const host = await openHost();
  await posthorn.emails.send(mail, { workspaceId: shop, transaction: host });
  for (let round = 0; round < 2; round += 1)
    expect(await sendAll()).toEqual(["locked", "ok", "locked", "ok"]);
  await host.query("commit");
  expect(await sendAll()).toEqual(["ok", "ok", "ok", "ok"]);
  expect((await posthorn.emails.list({}, { workspaceId: shop })).total).toBe(3);
});
