import { describe, expect, test } from "vitest";
import {
  add,
  answers,
  bringDown,
  held,
  openServersForEach,
  rows,
  send,
  show,
} from "../../../../test/workspace-servers.ts";
import { workspace, world } from "../../../../test/world-for-each.ts";
import type { MailMessage } from "../../../ports/mailer.ts";
import { acceptAll } from "../../../testing/index.ts";
import { serversRoute } from "../../rules/routes.ts";

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

describe("a server that takes each sender, and fails at some recipients", () => {
  /** As by a server that ends the connection at the recipient of these e-mails. */
  const failAt = (isPoison: (message: MailMessage) => boolean) => (message: MailMessage) =>
    isPoison(message)
      ? {
          ...held("unreachable")(message),
          steps: [
            { step: "mail_from", ms: 1, code: 250 } as const,
            { step: "rcpt_to", ms: 1, code: 421 } as const,
          ],
        }
      : acceptAll(message);

  test("is tried by another e-mail after 30 s each time: those that fail are the cause, and not the server", async () => {
    const first = await add("first");
    answers["first"] = failAt(({ subject }) => subject.startsWith("poison"));
    for (let n = 0; n < 8; n += 1) await send(`poison ${n}`);
    for (let n = 0; n < 3; n += 1) {
      await world.posthorn.drain();
      world.clock.advance(1000);
    }
    expect(await show(first.id)).toMatchObject({ state: "down" });
    await send("good");
    const began = world.clock.now();
    while (
      world.mailer.inbox.find({ subject: "good" }) === undefined &&
      world.clock.now() < began + 3_600_000
    ) {
      world.clock.advance(10_000);
      await world.posthorn.drain();
    }
    expect(world.clock.now() - began).toBeLessThan(300_000);
  });

  test("is left alone for longer each time if the same e-mail tries it again", async () => {
    const first = await add("first");
    answers["first"] = failAt(() => true);
    await send("poison");
    const waits = new Set<number>();
    for (let n = 0; n < 200; n += 1) {
      await world.posthorn.drain();
      const { downUntil, lastErrorAt = 0 } = await show(first.id);
      if (downUntil !== undefined) waits.add((downUntil - lastErrorAt) / 1000);
      world.clock.advance(10_000);
    }
    expect([...waits]).toEqual([30, 60, 120, 240, 480, 600]);
  });
});
