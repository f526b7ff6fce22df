import { expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";

test("a running worker erases at once, so that mail that waits for the person does not go", async () => {
  const world = await createWorld(await openTestSqlite(), { worker: { pollMs: 600_000 } });
  const shop = world.posthorn.workspace((await world.addWorkspace()).id);
  world.posthorn.start();
  for (const name of ["ada", "bob"]) {
    const email = `${name}@example.com`;
    const scheduledAt = new Date(world.clock.now() + 60_000).toISOString();
    const { id: emailId } = await shop.emails.send({ to: [email], subject: "Hi", text: "x", scheduledAt });
    await shop.recipients.erase({ email });
    await vi.waitFor(
      async () => expect((await shop.emails.get({ emailId })).status).toBe("cancelled"),
      30_000,
    );
  }
  await world.close();
});
