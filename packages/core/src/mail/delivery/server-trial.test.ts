import { expect, test } from "vitest";
import {
  add,
  answers,
  bringDown,
  held,
  openServersForEach,
  rows,
  send,
  show,
} from "../../../test/workspace-servers.ts";
import { workspace, world } from "../../../test/world-for-each.ts";
import { acceptAll } from "../../testing/index.ts";
import { serversRoute } from "../rules/routes.ts";

openServersForEach();

test.each([
  ["knows of a hold that still stands", held("unreachable", 700), [{ step: "wait", ms: 0 }]],
  ["is closed", held("closed", 700), undefined],
] as const)(
  "a server that is down is tried by another e-mail at once if the mailer %s and asks it nothing",
  async (_, answer, steps) => {
    const first = await add("first");
    await bringDown("first", () => send("one"));
    const { downUntil } = await show(first.id);
    answers["first"] = (message) => ({ ...answer(message), ...(steps && { steps: [...steps] }) });
    world.clock.advance(30_000);
    await world.posthorn.drain();
    expect(await show(first.id)).toMatchObject({ state: "down", downUntil: world.clock.now() + 700 });
    expect(downUntil).toBeLessThan(world.clock.now());
    answers["first"] = acceptAll;
    world.clock.advance(1000);
    await world.posthorn.drain();
    expect(await show(first.id)).toMatchObject({ state: "up" });
  },
);

test("a server that is down keeps e-mails for a second at a time while one is on trial, whatever becomes of that", async () => {
  const first = await add("first");
  await bringDown("first", () => send("one"));
  world.clock.advance(30_000);
  const [row] = await world.storage.smtpServers.list(workspace.id);
  if (row === undefined) throw new Error("no server");
  // Another process's mail, which dies with it.
  const health = { ...row.health, trialUntil: world.clock.now() + 60_000 };
  await world.storage.smtpServers.changeHealth(row.row, row.healthVersion, health);
  answers["first"] = acceptAll;
  await world.posthorn.drain();
  const route = serversRoute(workspace.id, await rows(first));
  const [hold] = await world.storage.emailQueue.parked(world.clock.now());
  expect(hold).toMatchObject({ route, until: world.clock.now() + 1000 });
  expect(await show(first.id)).toMatchObject({ state: "down" });
  world.clock.advance(61_000);
  await world.posthorn.drain();
  expect(await show(first.id)).toMatchObject({ state: "up" });
});
