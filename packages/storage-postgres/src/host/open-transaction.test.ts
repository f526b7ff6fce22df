import { StorageUnavailable } from "@posthorn/core/storage";
import { answerAll } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
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

test("a host's transaction that stays open holds up the results that need its rows, and no others", async () => {
  const { world, openHost } = await openLockingWorld(undefined, { lockMs: 100 });
  const { posthorn, mailer } = world;
  const [shop, neighbour] = [(await world.addWorkspace()).id, (await world.addWorkspace()).id];
  const send = (workspaceId: number, to: string) =>
    posthorn.emails.send({ subject: "Hi", text: "Hi", to: [to] }, { workspaceId });
  const refuse = answerAll("refused", 550, "550 5.1.1 no such user");
  mailer.answerWith((message) =>
    message.envelope.to[0] === "gone@example.com"
      ? refuse(message)
      : {
          recipients: message.envelope.to.map((address) => ({ address, outcome: "accepted", reply: "250" })),
          inDoubt: false,
        },
  );
  const host = await openHost();
  await posthorn.suppressions.create({ email: "gone@example.com" }, { workspaceId: shop, transaction: host });
  const [gone, own, other] = [
    await send(shop, "gone@example.com"),
    await send(shop, "ada@example.com"),
    await send(neighbour, "ada@example.com"),
  ];
  const has = async ({ id: emailId }: { id: string }, workspaceId: number, status: string) =>
    (await posthorn.emails.get({ emailId }, { workspaceId })).status === status;
  posthorn.start();
  await eventually(() => has(own, shop, "sent"));
  await eventually(() => has(other, neighbour, "sent"));
  expect(await has(gone, shop, "sending")).toBe(true);
  await host.query("commit");
  await eventually(() => has(gone, shop, "failed"));
});
