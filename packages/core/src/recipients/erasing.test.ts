import { expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";

test("a running worker erases at once, so that mail that waits for the person does not go", async () => {
  // No timer of the worker's own ends within this test.
  const world = await createWorld(await openTestSqlite(), {
    worker: { pollMs: 600_000, leaseMs: 600_000 },
  });
  const shop = world.posthorn.workspace((await world.addWorkspace()).id);
  world.posthorn.start();
  for (const name of ["ada", "bob"]) {
    const email = `${name}@example.com`;
    const scheduledAt = new Date(world.clock.now() + 60_000).toISOString();
    const { id: emailId } = await shop.emails.send({ to: [email], subject: "Hi", text: "x", scheduledAt });
    await shop.recipients.erase({ email });
    await vi.waitFor(
      async () => expect((await shop.emails.get({ emailId })).status).toBe("cancelled"),
      60_000,
    );
    // The next one is requested once the worker has nothing in hand.
    await vi.waitFor(async () => {
      const { items } = await shop.auditLog.listForWorkspace({ size: 1 });
      expect(items[0]?.type).toBe("recipient.erased");
    }, 60_000);
  }
  await world.close();
});

test("the return of space after an erasure ends once another waits", async () => {
  const world = await createWorld(await openTestSqlite());
  const shop = world.posthorn.workspace((await world.addWorkspace()).id);
  const returning = vi.spyOn(world.storage, "reclaim").mockImplementation(async ({ stopped } = {}) => {
    await expect.poll(() => stopped?.(), { timeout: 60_000, interval: 5 }).toBe(true);
    return 0;
  });
  world.posthorn.start();
  for (const name of ["ada", "bob"]) {
    await shop.recipients.erase({ email: `${name}@example.com` });
    await expect.poll(() => returning.mock.calls.length, { timeout: 60_000 }).toBe(name === "ada" ? 1 : 2);
  }
  await world.close();
});

test("only managers erase and export", async () => {
  const world = await createWorld(await openTestSqlite());
  const shop = await world.addWorkspace();
  const { recipients } = world.posthorn;
  const [editor, admin] = [shop.as(await shop.addMember("editor")), shop.as(await shop.addMember("admin"))];
  const email = "ada@example.com";
  await expect(recipients.erase({ email }, editor)).rejects.toMatchObject({ code: "forbidden" });
  await expect(recipients.export({ email }, editor)).rejects.toMatchObject({ code: "forbidden" });
  await expect(recipients.erase({ email }, admin)).resolves.toBeDefined();
  await expect(recipients.export({ email }, admin)).resolves.toBeDefined();
  await world.close();
});
