import { expect, test } from "vitest";
import { day, hour, minute, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { aliveMs } from "./heartbeat.ts";
import { restoreTimes } from "./restore-times.ts";

openWorldForEach();

const restore = () =>
  restoreTimes({ storage: world.storage, queueClock: world.clock, config: world.posthorn.config });

test("checks of domains and erasures that a clock planned that was ahead are due once it is set right", async () => {
  const { domains, erasures } = world.storage;
  const shop = world.posthorn.workspace(workspace.id);
  world.clock.step(2 * day);
  const { id: domainId } = await world.posthorn.domains.create({ name: "shop.example" }, workspace.asOwner);
  await shop.recipients.erase({ email: "ada@example.com" });
  world.clock.step(-2 * day);
  expect(await world.posthorn.drain()).toBe(0);
  await restore();
  expect([await domains.nextDueAt(), await erasures.nextDueAt()]).toEqual(Array(2).fill(world.clock.now()));
  await world.posthorn.drain();
  expect(await erasures.nextDueAt()).toBeUndefined();
  const { nextCheckAt = 0 } = await world.posthorn.domains.get({ domainId }, workspace.asOwner);
  expect(nextCheckAt - world.clock.now()).toBe(6 * hour);
});

test("a worker that was killed while the clock was ahead counts as dead once it is set right", async () => {
  const { operations } = world.storage;
  await operations.beat("killed", world.clock.now() + 2 * day);
  const alive = () => operations.listWorkers(world.clock.now() - aliveMs);
  expect(await alive()).toHaveLength(1);
  await restore();
  world.clock.advance(minute);
  expect(await alive()).toEqual([]);
});

test("what was planned by the right clock stays", async () => {
  const { id: domainId } = await world.posthorn.domains.create({ name: "shop.example" }, workspace.asOwner);
  await restore();
  const { nextCheckAt } = await world.posthorn.domains.get({ domainId }, workspace.asOwner);
  expect(nextCheckAt).toBe(world.clock.now() + minute);
});
