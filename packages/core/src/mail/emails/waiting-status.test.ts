import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createFixedClock, createWorld } from "../../testing/index.ts";

const hour = 3_600_000;

test("an e-mail is scheduled until the database's clock, by which it is sent, says that it is due", async () => {
  const storage = await openTestSqlite();
  const there = createFixedClock();
  const ahead = await createWorld(
    { ...storage, now: async () => there.now() },
    { databaseClock: "own", clock: createFixedClock(there.now() + 2 * hour) },
  );
  const shop = ahead.posthorn.workspace((await ahead.addWorkspace()).id);
  await ahead.posthorn.drain();
  const scheduledAt = new Date(there.now() + hour).toISOString();
  const { id: emailId } = await shop.emails.send({
    to: ["ada@example.com"],
    subject: "x",
    text: "x",
    scheduledAt,
  });
  expect(await shop.emails.get({ emailId })).toMatchObject({ status: "scheduled" });
  const { items } = await shop.emails.list({ status: "scheduled" });
  expect(items).toMatchObject([{ id: emailId, status: "scheduled" }]);
  await ahead.close();
});
