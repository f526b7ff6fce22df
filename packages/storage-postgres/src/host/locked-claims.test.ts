import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open over a workspace's deletion keeps back no other's e-mails of a dead worker", async () => {
  const { world, storage, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn, clock } = world;
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com"] };
  for (const { id: workspaceId } of [shop, neighbour]) await posthorn.emails.send(mail, { workspaceId });
  const { emailQueue } = storage;
  const now = clock.now() + 1_000;
  const { due } = await emailQueue.look(now, 9);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
  expect(await emailQueue.claim({ wants, now, leaseMs: 1, worker: "dead", maxBytes: 1e6 })).toHaveLength(2);
  const host = await openHost();
  const { name } = await posthorn.workspaces.get({}, { workspaceId: shop.id });
  await posthorn.workspaces.delete({ name }, { workspaceId: shop.id, transaction: host });
  const takeBack = async () => emailQueue.reclaim(await emailQueue.claims(), now);
  expect(await takeBack()).toBe(1);
  expect((await emailQueue.look(now, 9)).due.map(({ route }) => route)).toEqual([`w:${neighbour.id}`]);
  // Of one that stood still, too: it would send what the next worker claims.
  const [claim] = await emailQueue.claims();
  expect(await emailQueue.renew([claim?.id ?? 0], now, now + 30_000)).toEqual([]);
  expect(await takeBack()).toBe(0);
  await host.query("rollback");
  expect(await takeBack()).toBe(1);
  expect(await emailQueue.claims()).toEqual([]);
});

test("an e-mail that a host's transaction just cancels holds up no claim of others", async () => {
  const { world, storage, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com"] };
  const send = () => world.posthorn.emails.send(mail, { workspaceId });
  const [held, other] = [await send(), await send()];
  const transaction = await openHost();
  await world.posthorn.emails.cancel({ emailId: held.id }, { workspaceId, transaction });
  const now = world.clock.now() + 1_000;
  const claim = async () => {
    const { due } = await storage.emailQueue.look(now, 9);
    const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
    const claimed = await storage.emailQueue.claim({ wants, now, leaseMs: 1, worker: "w", maxBytes: 1e6 });
    return claimed.map(({ email }) => email.id);
  };
  expect(await claim()).toEqual([other.id]);
  await transaction.query("rollback");
  expect(await claim()).toEqual([held.id]);
});

test("an e-mail that a host's transaction just cancels stays, and the others move to their server's route", async () => {
  const { world, storage, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { from: "shop@shop.example", subject: "Hi", text: "Hello", to: ["ada@example.com"] };
  const send = () => world.posthorn.emails.send(mail, { workspaceId });
  const held = await send();
  await send();
  const transaction = await openHost();
  await world.posthorn.emails.cancel({ emailId: held.id }, { workspaceId, transaction });
  const move = { domains: new Set(["shop.example"]), from: `w:${workspaceId}`, to: "s:1:2-0" };
  expect(await storage.emailQueue.takeAlong(move)).toBe(1);
  await transaction.query("rollback");
  expect(await storage.emailQueue.takeAlong(move)).toBe(1);
});
