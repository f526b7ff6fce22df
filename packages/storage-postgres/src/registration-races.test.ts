import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("of two registrations of an address at once both get the same answer: it tells nobody of the other", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld(undefined, { registration: "open" });
  const eve = { name: "Eve", email: "ada@example.com", password: "the engine weaves algebra" };
  const call = { as: { kind: "anonymous" }, client: { ip: "192.0.2.1" } } as const;
  let second: Promise<{ email: string }> | undefined;
  await storage.transaction(async ({ users }) => {
    await users.insert({
      name: "Ada",
      email: eve.email,
      passwordHash: "!",
      emailVerifiedAt: undefined,
      isAdmin: false,
      createdAt: world.clock.now(),
    });
    second ??= world.posthorn.accounts.register(eve, call);
    await untilWaiting(second);
  });
  await expect(second).resolves.toMatchObject({ name: "Eve", email: eve.email });
  expect((await storage.users.findByEmail(eve.email))?.name).toBe("Ada");
  await world.posthorn.drain();
  expect(world.mailer.inbox.find({ to: eve.email })?.subject).toBe("You already have an account");
});
