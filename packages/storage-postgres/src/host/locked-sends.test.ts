import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

test.each([{ dedupeKey: "order-7" }, { idempotencyKey: "order-7" }])(
  "a host's transaction that stays open over a send holds up none of its workspace but those of its key: %o",
  async (key) => {
    const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
    const { id: workspaceId } = await world.addWorkspace();
    const send = (to: string, more: object) =>
      world.posthorn.emails
        .send({ subject: "Hi", text: `Hi ${to}`, to: [to], ...more }, { workspaceId })
        .then(
          () => "accepted",
          (error: unknown) => (error as { isLocked?: unknown }).isLocked,
        );
    const host = await openHost();
    const mail = { subject: "Hi", text: "Hi from the host", to: ["ada@example.com"], ...key };
    await world.posthorn.emails.send(mail, { workspaceId, transaction: host });
    // Again if this process stood still in a send, whose locks the others wait for no longer than for the host's.
    for (let round = 0; round < 2; round += 1)
      await expect
        .poll(() =>
          Promise.all([
            send("ada@example.com", key),
            send("bob@example.com", {}),
            send("cy@example.com", { dedupeKey: `${round}` }),
          ]),
        )
        .toEqual([true, "accepted", "accepted"]);
    await host.query("rollback");
    expect(await send("ada@example.com", key)).toBe("accepted");
  },
);

test("a host's transaction that stays open after it first stored a content and a style holds up nobody with the same, in any workspace", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const [first, second] = [await world.addWorkspace(), await world.addWorkspace()];
  const mail = { subject: "Hi", html: "<p>The shop is open</p>", to: ["ada@example.com"] };
  const host = await openHost();
  const style = { name: "shop", css: "p { color: red }" };
  await world.posthorn.emails.send(mail, { workspaceId: first.id, transaction: host });
  await world.posthorn.stylesheets.create(style, { ...first.asOwner, transaction: host });
  await expect(world.posthorn.stylesheets.create(style, second.asOwner)).resolves.toMatchObject(style);
  for (const { id: workspaceId } of [first, second])
    await expect(world.posthorn.emails.send(mail, { workspaceId })).resolves.toMatchObject({
      status: "queued",
    });
  await host.query("commit");
  await world.posthorn.drain();
  expect(world.mailer.inbox.all()).toHaveLength(3);
});
