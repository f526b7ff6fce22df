import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { type Storage, StorageUnavailable } from "../ports/storage.ts";
import { createWorld, type TestWorkspace, type World } from "../testing/world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
let shop: TestWorkspace;
/** Called at every storage call for suppressions. It may throw to make the call fail. */
let onRead: () => void;

beforeEach(async () => {
  onRead = () => {};
  const storage = await openTestSqlite();
  const watched: Storage = {
    ...storage,
    suppressions: {
      ...storage.suppressions,
      findUnder: async (wanted) => {
        onRead();
        return storage.suppressions.findUnder(wanted);
      },
    },
  };
  world = await createWorld(watched);
  shop = await world.addWorkspace();
});
afterEach(() => world.close());

const suppressions = () => world.posthorn.workspace(shop.id).suppressions;
const emails = () => world.posthorn.workspace(shop.id).emails;
const mailTo = (...to: string[]) => ({ subject: "Hi", text: "x", to });
const eventsOf = async (type: string) =>
  (await world.storage.events.list({ type, workspaceId: shop.id }, { offset: 0, limit: 100 })).items.map(
    ({ metadata }) => JSON.parse(metadata) as Record<string, unknown>,
  );

describe("a send", () => {
  test("is checked against its own workspace's list only, even beside another workspace's in the same moment", async () => {
    const other = world.posthorn.workspace((await world.addWorkspace()).id);
    await suppressions().create({ email: "ada@example.com" });
    await other.suppressions.create({ email: "bob@example.com" });
    const mail = mailTo("ada@example.com", "bob@example.com");
    const sent = await Promise.all([emails(), other.emails].map((one) => one.send(mail)));
    const read = await Promise.all(
      [emails(), other.emails].map((one, at) => one.get({ emailId: sent[at]?.id ?? "" })),
    );
    expect(read.map(({ recipients }) => recipients.map(({ state }) => state))).toEqual([
      ["suppressed", "pending"],
      ["pending", "suppressed"],
    ]);
  });

  test("omits suppressed recipients, reports them, and charges the others only", async () => {
    await suppressions().create({ email: "ada@example.com" });
    await suppressions().create({ email: "@gone.example" });
    await suppressions().create({ email: "news@example.com", scope: "news" });
    const { id } = await emails().send({
      ...mailTo("ADA@example.com", "bob@example.com", "news@example.com"),
      bcc: ["eve@gone.example"],
    });
    await world.posthorn.drain();
    expect(world.mailer.inbox.all().map(({ envelope }) => envelope.to)).toEqual([
      ["bob@example.com", "news@example.com"],
    ]);
    const found = await emails().get({ emailId: id });
    expect(found.status).toBe("sent");
    expect(found.recipients.map(({ state }) => state)).toEqual([
      "suppressed",
      "accepted",
      "accepted",
      "suppressed",
    ]);
    expect(await eventsOf("email.suppressed")).toEqual([
      { email_id: id, recipient: "eve@gone.example", origin: "manual" },
      { email_id: id, recipient: "ADA@example.com", origin: "manual" },
    ]);
    expect(await eventsOf("email.queued")).toMatchObject([{ recipients: 2 }]);
  });

  test("to suppressed recipients only is refused, uncharged, and leaves nothing", async () => {
    await suppressions().create({ email: "ada@example.com" });
    const mail = { ...mailTo("ada@example.com"), idempotencyKey: "order 1" };
    await expect(emails().send(mail)).rejects.toMatchObject({
      code: "all_recipients_suppressed",
      details: { recipients: [{ address: "ada@example.com", scope: "*", origin: "manual" }] },
    });
    expect((await emails().list()).total).toBe(0);
    // The refused request has not consumed its idempotency key.
    await suppressions().delete({ email: "ada@example.com" });
    const { id } = await emails().send(mail);
    // An accepted request is answered the same again, even if the address was suppressed since.
    await suppressions().create({ email: "ada@example.com" });
    expect((await emails().send(mail)).id).toBe(id);
    // Its answer is kept for 24 hours: then the request counts as new.
    world.clock.advance(DAY);
    await expect(emails().send(mail)).rejects.toMatchObject({ code: "all_recipients_suppressed" });
  });

  test("is refused if the suppressions can't be read: nothing is sent unchecked", async () => {
    onRead = () => {
      throw new StorageUnavailable("the disk is gone");
    };
    await expect(emails().send(mailTo("ada@example.com"))).rejects.toThrow(StorageUnavailable);
    onRead = () => {};
    expect((await emails().list()).total).toBe(0);
  });

  test("is checked with one query for all sends of one tick", async () => {
    let reads = 0;
    onRead = () => {
      reads += 1;
    };
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => emails().send(mailTo(`u${index}@example.com`))),
    );
    expect(reads).toBe(1);
  });

  test("is stopped once a suppression is answered, however many are sent at once", async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `u${index}@example.com`);
    const late: string[] = [];
    await Promise.all(
      addresses.map(async (email) => {
        const before = emails()
          .send(mailTo(email))
          .catch(() => {});
        await suppressions().create({ email });
        await emails()
          .send(mailTo(email))
          .then(
            () => late.push(email),
            () => {},
          );
        await before;
      }),
    );
    expect(late).toEqual([]);
  });
});

describe("at delivery", () => {
  const later = (ms: number) => new Date(world.clock.now() + ms).toISOString();

  test("e-mails that were accepted later than now, by a clock that has stepped back, are checked again", async () => {
    const { id } = await emails().send(mailTo("ada@example.com"));
    await suppressions().create({ email: "ada@example.com" });
    world.clock.step(-DAY);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
    expect((await emails().get({ emailId: id })).status).toBe("suppressed");
  });

  test("e-mails accepted more than a minute ago are checked again", async () => {
    await emails().send(mailTo("ada@example.com"));
    await suppressions().create({ email: "ada@example.com" });
    world.clock.advance(60_001);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
  });

  test("scheduled e-mails are checked again, however soon they fall due", async () => {
    const { id } = await emails().send({
      ...mailTo("ada@example.com", "bob@example.com"),
      scheduledAt: later(2_000),
    });
    await suppressions().create({ email: "ada@example.com" });
    world.clock.advance(2_000);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all().map(({ envelope }) => envelope.to)).toEqual([["bob@example.com"]]);
    const found = await emails().get({ emailId: id });
    expect(found).toMatchObject({
      status: "sent",
      recipients: [
        { state: "suppressed", attempts: 0, lastReply: "suppressed: manual" },
        { state: "accepted", attempts: 1 },
      ],
    });
    expect(await eventsOf("email.suppressed")).toEqual([
      { email_id: id, recipient: "ada@example.com", origin: "manual" },
    ]);
    expect(await eventsOf("email.sent")).toEqual([{ email_id: id, accepted: 1, failed: 0 }]);
  });

  test("an e-mail whose recipients were all suppressed meanwhile ends as suppressed, without an attempt", async () => {
    const { id } = await emails().send({ ...mailTo("ada@example.com"), scheduledAt: later(DAY) });
    await suppressions().create({ email: "ada@example.com" });
    world.clock.advance(DAY);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
    expect(await emails().get({ emailId: id })).toMatchObject({ status: "suppressed", attempts: [] });
    expect((await emails().list({ status: "suppressed" })).total).toBe(1);
    expect(await eventsOf("email.suppressed")).toHaveLength(1);
    expect(await eventsOf("email.failed")).toEqual([]);
  });

  test("an expired suppression stops nothing, and fresh e-mails need no query", async () => {
    await emails().send({ ...mailTo("ada@example.com"), scheduledAt: later(2 * DAY) });
    await suppressions().create({ email: "ada@example.com", expiresAt: later(DAY) });
    await emails().send(mailTo("bob@example.com"));
    let reads = 0;
    onRead = () => {
      reads += 1;
    };
    await world.posthorn.drain();
    expect(reads).toBe(0);
    world.clock.advance(2 * DAY);
    await world.posthorn.drain();
    expect(reads).toBe(1);
    expect(world.mailer.inbox.all().flatMap(({ envelope }) => envelope.to)).toEqual([
      "bob@example.com",
      "ada@example.com",
    ]);
  });

  test("is deferred if the suppressions can't be read, and sent once they can", async () => {
    const { id } = await emails().send({ ...mailTo("ada@example.com"), scheduledAt: later(DAY) });
    world.clock.advance(DAY);
    onRead = () => {
      throw new StorageUnavailable("the disk is gone");
    };
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
    onRead = () => {};
    world.clock.advance(DAY);
    await world.posthorn.drain();
    expect((await emails().get({ emailId: id })).status).toBe("sent");
  });
});

test("a batch sends nothing to an erased address that is suppressed under its hash", async () => {
  const { recipients } = world.posthorn.workspace(shop.id);
  for (const email of ["ada@example.com", "eve@example.com"]) {
    await suppressions().create({ email });
    await recipients.erase({ email });
  }
  await world.posthorn.drain();
  const literal = { subject: "Hi", text: "x" };
  const shared = await emails().sendBatch({
    ...literal,
    recipients: [{ to: "Ada@example.com" }, { to: "bob@example.com" }],
  });
  const mixed = await emails().sendBatch({
    emails: [mailTo("eve@example.com"), mailTo("eve@example.com", "bob@example.com")],
  });
  const statuses = [shared, mixed].map((batch) => batch.emails.map(({ status }) => status));
  expect(statuses).toEqual([
    ["suppressed", "queued"],
    ["suppressed", "queued"],
  ]);
  await world.posthorn.drain();
  expect(world.mailer.inbox.all().map(({ envelope }) => envelope.to)).toEqual([
    ["bob@example.com"],
    ["bob@example.com"],
  ]);
});
