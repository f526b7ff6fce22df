import { expect, test } from "vitest";
import { about, complaint, deliver, feed } from "../../test/returned-mail.ts";
import { database, openDatabaseForEach, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const ada = "ada@example.com";

test("a report that comes after its recipient was erased leaves no trace of the address", async () => {
  await world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["*"] },
    workspace.asOwner,
  );
  const { id, token } = await deliver([ada]);
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
  const told = [
    { action: "delayed", to: ada, reply: `452 4.2.2 <${ada}> full` },
    { to: ada, reply: `552 5.2.2 <${ada}> full` },
  ];
  for (const message of [about(token, told), complaint(token)])
    expect(
      await world.posthorn.inbound.receiveMessage({ message, recipients: ["fbl@in.post.example"] }),
    ).toMatchObject({ emailId: id });
  const rows = ["recipient_reports", "inbound_reports", "events", "webhook_deliveries", "suppressions"].map(
    (table) => database.prepare(`select * from posthorn_${table}`).all(),
  );
  expect(JSON.stringify(rows)).not.toContain(ada);
  const { items } = await world.posthorn.inbound.list({}, workspace.asOwner);
  const kept = items.map(({ id: reportId = "" }) =>
    world.posthorn.inbound.get({ reportId }, workspace.asOwner),
  );
  expect((await Promise.all(kept)).map(({ raw }) => raw)).toEqual(["", ""]);
  const { recipients } = await world.posthorn.emails.get({ emailId: id }, workspace.asOwner);
  expect(recipients).toMatchObject([{ category: "mailbox_full", complainedAt: world.clock.now() }]);
});

test("a complaint that comes during the erasure takes the place of what is hashed: only managers release it", async () => {
  const { token } = await deliver([ada]);
  await world.posthorn.suppressions.create({ email: ada }, workspace.asOwner);
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await feed(complaint(token));
  await world.posthorn.drain();
  const found = await world.posthorn.suppressions.get({ email: ada }, workspace.asOwner);
  expect(found).toMatchObject({ email: expect.stringMatching(/^erased-/), origin: "complaint" });
});

test("an erasure removes what servers replied to an e-mail to the person alone, of a delay too, and keeps others' of one to several", async () => {
  const alone = await deliver([ada]);
  const shared = await deliver([ada, "bob@example.com"]);
  const reply = "452 4.2.2 The mailbox of Mrs Lovelace is full";
  for (const { token } of [alone, shared])
    await feed(
      about(token, [
        { action: "delayed", to: ada, reply },
        { to: ada, reply },
      ]),
    );
  const replies = () => database.prepare("select reply from posthorn_recipient_reports").pluck().all();
  expect(replies()).toEqual([reply, reply, reply, reply]);
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
  expect(replies().filter((one) => one !== "")).toEqual([reply]);
});
