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
