import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

const email = "ada@example.com";
const password = "the engine weaves algebra";

test("a mailed token waits for a change of its account before it is consumed, so that neither waits for the other", async () => {
  const { storage, world, untilWaiting, openHost } = await openLockingWorld();
  const { id } = await world.posthorn.users.create({ name: "Ada", email, password });
  await world.posthorn.accounts.forgotPassword({ email });
  await world.posthorn.drain();
  const token = /\?token=([\w-]+)/.exec(world.mailer.inbox.find({ to: email })?.text ?? "")?.[1] ?? "";
  const host = await openHost();
  const within = storage.within(host);
  await within.users.lock(id);
  const resetting = world.posthorn.accounts.resetPassword({ token, password: `${password}!` });
  const outcome = expect(resetting).rejects.toMatchObject({ details: [{ path: "token" }] });
  await untilWaiting(resetting);
  // Had the token been consumed before, one of the two would now be ended as a deadlock.
  await host.query("set local lock_timeout = '500ms'");
  await within.emailTokens.deleteFor(id, "reset_password");
  await host.query("commit");
  await outcome;
});

test("no link is mailed to an address that the account just loses: it would open the account to a former owner", async () => {
  const { storage, world, untilWaiting, openHost } = await openLockingWorld();
  const { posthorn, mailer } = world;
  const { id } = await posthorn.users.create({ name: "Ada", email, password });
  await posthorn.users.link({ userId: id, externalId: "ada" });
  const transaction = await openHost();
  await posthorn.users.ensure({ externalId: "ada", name: "Ada", email: "ada@example.org" }, { transaction });
  await posthorn.accounts.forgotPassword({ email });
  await untilWaiting();
  await transaction.query("commit");
  await posthorn.drain();
  // Only that the account has another one is told there.
  expect(mailer.inbox.all().map(({ envelope, subject }) => [envelope.to, subject])).toEqual([
    [[email], "Your account has another address"],
  ]);
  expect((await storage.users.find(id))?.email).toBe("ada@example.org");
});
