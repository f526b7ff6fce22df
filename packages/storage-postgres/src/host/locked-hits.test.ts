import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test("a host's transaction that stays open over a workspace's deletion holds up its opens, and no other's", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn } = world;
  const [{ id: shop }, { id: neighbour }] = [await world.addWorkspace(), await world.addWorkspace()];
  const send = async (workspaceId: number, to: string) => {
    const mail = { to: [to], subject: "Hi", html: "<p>Hi</p>", tracking: { opens: true } };
    const { id: emailId } = await posthorn.emails.send(mail, { workspaceId });
    await posthorn.drain();
    const sent = world.mailer.inbox.all().find((one) => one.emailId === emailId);
    const [, image = ""] = /\/o\/([\w-]+)\.gif/.exec(sent?.html ?? "") ?? [];
    const opens = async () =>
      (await posthorn.emails.get({ emailId }, { workspaceId })).recipients[0]?.opens?.count;
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
    const open = () => posthorn.recordOpen(image, { ip: "192.0.2.7", userAgent, isPrefetch: false });
    return { open, opens };
  };
  const leaving = await send(shop, "ada@example.com");
  const other = await send(neighbour, "ada@example.com");
  world.clock.advance(3_600_000);
  const host = await openHost();
  const { name } = await posthorn.workspaces.get({}, { workspaceId: shop });
  await posthorn.workspaces.delete({ name }, { workspaceId: shop, transaction: host });
  for (let round = 1; round <= 2; round += 1) {
    leaving.open();
    other.open();
    await posthorn.drain();
    expect(await other.opens()).toBe(round);
    expect(await leaving.opens()).toBeUndefined();
  }
  await host.query("rollback");
  await posthorn.drain();
  expect(await leaving.opens()).toBe(2);
});
