import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a domain that a host's transaction keeps locked holds up no other's check after the service's hosts were changed", async () => {
  const { storage, world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn, clock } = world;
  const { id: workspaceId, asOwner } = await world.addWorkspace();
  const add = async (name: string, nextCheckAt: number) => {
    const { id } = await posthorn.domains.create({ name }, asOwner);
    await storage.domains.update(workspaceId, id, { nextCheckAt });
    return id;
  };
  const isChecked = async (domainId: string) =>
    (await posthorn.domains.get({ domainId }, { workspaceId })).checkedAt !== undefined;
  const held = await add("held.example", clock.now() + 86_400_000);
  const due = await add("due.example", clock.now());
  await storage.operations.replaceFact("domain_hosts", "former");
  const host = await openHost();
  await posthorn.domains.update({ domainId: held, tls: "required" }, { ...asOwner, transaction: host });
  await posthorn.drain();
  expect([await isChecked(held), await isChecked(due)]).toEqual([false, true]);
  await host.query("commit");
  await posthorn.drain();
  expect(await isChecked(held)).toBe(true);
});
