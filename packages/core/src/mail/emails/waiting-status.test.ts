import { expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { answerAll, createFixedClock, createWorld } from "../../testing/index.ts";

const hour = 3_600_000;

test.each([
  ["ahead of", 2 * hour],
  ["behind", -2 * hour],
])(
  "times and statuses are by the database's clock, by which mail is sent, in a process %s it",
  async (_, by) => {
    const storage = await openTestSqlite();
    const there = createFixedClock();
    const world = await createWorld(
      { ...storage, now: async () => there.now() },
      { databaseClock: "own", clock: createFixedClock(there.now() + by) },
    );
    const { emails } = world.posthorn.workspace((await world.addWorkspace()).id);
    await world.posthorn.drain();
    const scheduledAt = new Date(there.now() + hour).toISOString();
    const send = () => emails.send({ to: ["ada@example.com"], subject: "x", text: "x", scheduledAt });
    const [{ id: emailId }, { id: failing }] = [await send(), await send()];
    expect(await emails.get({ emailId })).toMatchObject({ status: "scheduled" });
    expect(await emails.list({ status: "scheduled" })).toMatchObject({
      items: [{ id: failing }, { id: emailId, status: "scheduled" }],
    });
    await emails.cancel({ emailId });
    expect((await emails.get({ emailId })).recipients).toMatchObject([{ settledAt: there.now() }]);

    there.advance(hour);
    world.clock.advance(hour);
    world.mailer.answerWith(answerAll("refused", 554, "554 5.7.1 rejected by policy"));
    await world.posthorn.drain();
    expect(await emails.retry({ emailId: failing })).toMatchObject({ status: "queued" });
    await world.close();
  },
);

test("an e-mail that is settled while it is read is shown as it is afterwards", async () => {
  const storage = await openTestSqlite();
  const world = await createWorld(storage);
  const { emails } = world.posthorn.workspace((await world.addWorkspace()).id);
  const { id: emailId } = await emails.send({ to: ["ada@example.com"], subject: "x", text: "x" });
  const read = storage.emails.recipients;
  vi.spyOn(storage.emails, "recipients").mockImplementationOnce(async (id) => {
    await world.posthorn.drain();
    return read(id);
  });
  expect(await emails.get({ emailId })).toMatchObject({
    status: "sent",
    recipients: [{ state: "accepted" }],
    attempts: [{ outcome: "sent" }],
  });
  await world.close();
});
