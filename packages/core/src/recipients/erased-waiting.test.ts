import { expect, test, vi } from "vitest";
import {
  database,
  eventsOf,
  get,
  hour,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../test/world-for-each.ts";
import { claimAll, resultOf } from "../testing/contract/claims.ts";

openDatabaseForEach();

const [ada, bob] = ["ada@example.com", "bob@example.com"];
const later = () => ({ scheduledAt: new Date(world.clock.now() + hour).toISOString() });
const eraseAda = async () => {
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
};

test("content that names the person goes with an e-mail that waited only for them, though others got it", async () => {
  world.mailer.answerWith(({ envelope }) => ({
    recipients: envelope.to.map((address) =>
      address === bob
        ? { address, outcome: "accepted", code: 250, reply: "250 OK" }
        : { address, outcome: "deferred", code: 450, reply: "450 later" },
    ),
    inDoubt: false,
  }));
  const { id } = await send({ to: [ada, bob], text: `Dear Bob, this is about ${ada}` });
  await world.posthorn.drain();
  await eraseAda();
  expect(await get(id)).toMatchObject({ status: "partially_sent", contentRemoved: true });
  expect(await eventsOf("email.sent")).toMatchObject([{ accepted: 1, failed: 0 }]);
  expect(database.prepare("select 1 from posthorn_contents where text like '%ada@%'").all()).toEqual([]);
});

test("the header fields of a sensitive e-mail to several that waits lose the address", async () => {
  await send({ ...later(), to: [ada, bob], headers: { "X-For": `${ada}, and Bob` }, sensitive: true });
  await eraseAda();
  expect(database.prepare("select 1 from posthorn_email_payloads where payload like '%ada@%'").all()).toEqual(
    [],
  );
  world.clock.advance(hour);
  await world.posthorn.drain();
  const [mail] = world.mailer.inbox.all();
  expect(mail?.headers.find(({ name }) => name === "X-For")?.value).toMatch(/^erased-.*, and Bob$/);
});

test("an e-mail whose recipients were erased, or are suppressed when it is sent, has not failed", async () => {
  const { id } = await send({ ...later(), to: [ada, bob] });
  await eraseAda();
  await world.posthorn.suppressions.create({ email: bob }, workspace.asOwner);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await get(id)).toMatchObject({ status: "suppressed" });
  expect(await eventsOf("email.failed")).toEqual([]);
});

test("an erasure ends though a damaged database has lost the place of one of the person's e-mails", async () => {
  const { id } = await send(later());
  database.prepare("delete from posthorn_email_queue").run();
  await eraseAda();
  expect((await get(id)).to).toEqual([expect.stringMatching(/^erased-/)]);
  expect(await world.storage.erasures.nextDueAt()).toBeUndefined();
});

test("an e-mail that a worker has is left to it, and erased with what came of it before the erasure ends", async () => {
  const { id } = await send();
  const [claimed] = await claimAll(world.storage, { now: world.clock.now() });
  // More than one step takes.
  for (let count = 0; count < 21; count += 1) await send(later());
  await eraseAda();
  expect((await get(id)).to).toEqual([ada]);
  expect(await world.storage.erasures.nextDueAt()).toBe(world.clock.now() + 5_000);
  await world.posthorn.suppressions.create({ email: ada, reason: "asked by phone" }, workspace.asOwner);
  const sent = { status: "sent", settledAt: world.clock.now() } as const;
  const told = claimed && resultOf(claimed, "accepted", sent);
  await world.storage.emailQueue.settle(told === undefined ? [] : [told], world.clock.now());
  world.clock.advance(5_000);
  await world.posthorn.drain();
  expect(await get(id)).toMatchObject({ status: "sent", recipients: [{ state: "accepted", lastReply: "" }] });
  expect(await eventsOf("recipient.erased")).toMatchObject([{ emails: 22 }]);
  for (const table of ["email_recipients", "emails", "suppressions"])
    expect(JSON.stringify(database.prepare(`select * from posthorn_${table}`).all())).not.toContain(ada);
});

test("an erasure waits for workers that have more of the person's e-mails than one step takes", async () => {
  for (let count = 0; count < 21; count += 1) await send();
  const claimed = await claimAll(world.storage, { now: world.clock.now() });
  const note = vi.spyOn(world.storage.erasures, "note");
  await eraseAda();
  expect(await world.storage.erasures.nextDueAt()).toBe(world.clock.now() + 5_000);
  expect(note.mock.calls.length).toBeLessThan(5);
  const sent = { status: "sent", settledAt: world.clock.now() } as const;
  await world.storage.emailQueue.settle(
    claimed.map((one) => resultOf(one, "accepted", sent)),
    world.clock.now(),
  );
  world.clock.advance(5_000);
  await world.posthorn.drain();
  expect(await eventsOf("recipient.erased")).toMatchObject([{ emails: 21 }]);
});

test("a campaign's list is counted though a worker has the person's only e-mail when the erasure begins", async () => {
  await send();
  const [claimed] = await claimAll(world.storage, { now: world.clock.now() });
  const spring = { name: "Spring", subject: "Hi", text: "Hello", recipients: [{ to: ada }] };
  await world.posthorn.campaigns.create(spring, workspace.asOwner);
  await eraseAda();
  const sent = { status: "sent", settledAt: world.clock.now() } as const;
  const told = claimed && resultOf(claimed, "accepted", sent);
  await world.storage.emailQueue.settle(told === undefined ? [] : [told], world.clock.now());
  world.clock.advance(5_000);
  await world.posthorn.drain();
  expect(await eventsOf("recipient.erased")).toMatchObject([{ emails: 1, campaigns: 1 }]);
});
