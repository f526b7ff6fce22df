import { expect, test } from "vitest";
import { database, hour, openDatabaseForEach, send, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const [ada, bob] = ["ada@example.com", "bob@example.com"];
const later = () => ({ scheduledAt: new Date(world.clock.now() + hour).toISOString() });

async function eraseAda(): Promise<void> {
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
  world.clock.advance(hour);
  await world.posthorn.drain();
}

test("a message to others names an erased recipient nowhere, also not by what took the place of the address", async () => {
  await send({ ...later(), subject: "a", to: [ada, bob], replyTo: ["shop@example.com", `Ada <${ada}>`] });
  await send({ ...later(), subject: "b", to: [bob], cc: [ada], replyTo: [ada] });
  await send({ ...later(), subject: "c", to: [ada], cc: [bob] });
  await eraseAda();
  const [a, b, c] = ["a", "b", "c"].map((subject) => world.mailer.inbox.find({ subject }));
  const others = { name: "", address: bob };
  expect(a).toMatchObject({ to: [others], cc: [], replyTo: [{ name: "", address: "shop@example.com" }] });
  expect(b).toMatchObject({ to: [others], cc: [], replyTo: [] });
  expect(c).toMatchObject({ to: [], cc: [others] });
  expect(JSON.stringify([a, b, c])).not.toContain("@invalid");
});

test("a message to others keeps its sender, though that is among the recipients and erased", async () => {
  const from = { name: "Ada", address: ada };
  await send({ ...later(), from: `Ada <${ada}>`, to: [bob], cc: [ada] });
  await send({ ...later(), from: "Shop <shop@example.com>", sender: ada, to: [bob, ada] });
  await eraseAda();
  const [own, named] = world.mailer.inbox.all();
  expect(own).toMatchObject({ from, envelope: { from: ada, to: [bob] } });
  expect(own?.messageId).toMatch(/@example\.com>$/);
  expect(named).toMatchObject({ sender: { address: ada } });
  const { n } = database.prepare("select count(*) as n from posthorn_erasures").get() as { n: number };
  expect(n).toBe(0);
});

test("what a server replied of a message to several is kept of the others without the address, as is its id of the message", async () => {
  world.mailer.answerWith(({ envelope }) => ({
    recipients: envelope.to.map((address) => ({
      address,
      outcome: "accepted",
      code: 250,
      reply: `250 2.0.0 <for=${ada}> saved`,
    })),
    inDoubt: false,
  }));
  const { id } = await send({ to: [ada, bob] });
  await world.posthorn.drain();
  await eraseAda();
  const { recipients } = await world.posthorn.emails.get({ emailId: id }, { workspaceId: workspace.id });
  expect(recipients.map(({ lastReply, remoteId }) => [lastReply, remoteId])).toEqual([
    ["", undefined],
    [expect.stringMatching(/^250 2\.0\.0 <for=erased-[0-9a-f]{8}@invalid> saved$/), undefined],
  ]);
});

test("an invitation to several loses the address also where a line is folded within it", async () => {
  const attendees = [
    "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;RSVP=TRUE:mailto:ada@exa\r\n mple.com",
    `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;RSVP=TRUE:mailto:${bob}`,
  ];
  const calendar = ["BEGIN:VCALENDAR", "METHOD:REQUEST", ...attendees, "END:VCALENDAR"].join("\r\n");
  await send({ ...later(), to: [ada, bob], calendar });
  await eraseAda();
  const { content = "" } = world.mailer.inbox.find({ to: bob })?.calendar ?? {};
  const lines = content.replace(/\r\n /g, "").split("\r\n");
  expect(lines).toEqual([
    ...["BEGIN:VCALENDAR", "METHOD:REQUEST"],
    expect.stringMatching(/^ATTENDEE;.*:mailto:erased-[0-9a-f]{8}@invalid$/),
    ...[attendees[1], "END:VCALENDAR"],
  ]);
  expect(content.split("\r\n").every(({ length }) => length <= 75)).toBe(true);
});
