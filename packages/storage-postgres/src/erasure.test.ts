import { answerAll, createWorld } from "@posthorn/core/testing";
import { sideOf, tableNames } from "@posthorn/storage-sql";
import { expect, onTestFinished, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";
import { openTestPostgres } from "../test/open-test-storage.ts";

const ada = "ada.lovelace@people.example";

test("an erased recipient is in no row of any table", async () => {
  const storage = await openTestPostgres();
  const world = await createWorld(storage);
  onTestFinished(() => world.close());
  const { posthorn, mailer } = world;
  const shop = await world.addWorkspace();
  const { db } = sideOf(storage);
  const tablesNaming = async (text: string): Promise<string[]> => {
    const found: string[] = [];
    for (const table of tableNames()) {
      const rows = await db.selectFrom(table).selectAll().execute();
      if (JSON.stringify(rows).toLowerCase().includes(text)) found.push(table);
    }
    return found;
  };
  await posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["*"] }, shop.asOwner);
  const send = (over: object) =>
    posthorn.emails.send(
      { subject: "For Ada Lovelace", text: `Dear ${ada}`, to: [`Ada Lovelace <${ada}>`], ...over },
      { workspaceId: shop.id },
    );
  await send({ subject: "News", to: [ada, "bob@others.example"], dedupeKey: `welcome:${ada}` });
  await send({ scheduledAt: new Date(world.clock.now() + 3_600_000).toISOString() });
  mailer.answerWith(answerAll("refused", 550, `550 5.1.1 <${ada}>: user unknown`));
  await send({ idempotencyKey: `for-${ada}-1`, metadata: { who: ada } });
  await posthorn.drain();
  expect((await tablesNaming("lovelace")).length).toBeGreaterThan(8);

  expect(await posthorn.recipients.erase({ email: ada }, shop.asOwner)).toMatchObject({ emails: 3 });
  await posthorn.drain();
  expect(await tablesNaming("lovelace")).toEqual([]);
  const check = await posthorn.suppressions.check({ emails: [ada] }, shop.asOwner);
  expect(check).toMatchObject([{ suppressed: true, origin: "bounce" }]);
});

test.each(["id", "row"])(
  "an erasure waits for a report that is being stored, and removes what it says, of an e-mail found by its %s",
  async (by) => {
    const { storage, world, untilWaiting } = await openLockingWorld();
    const shop = await world.addWorkspace();
    const { id } = await world.posthorn.emails.send(
      { subject: "Hi", text: "Hello", to: [ada] },
      { workspaceId: shop.id },
    );
    await world.posthorn.drain();
    const person = {
      workspaceId: shop.id,
      address: ada,
      addressKey: ada,
      erasedAs: "erased-0123abcd@invalid",
    };
    const emails = await storage.recipients.emailsTo(person, 0, 9);
    const reportId = crypto.randomUUID();
    let erasing: Promise<void> | undefined;
    await storage.transaction(async ({ reports }) => {
      const [row = 0] = emails.map((email) => email.row);
      const found = await reports.findEmail(by === "id" ? { id } : { row });
      expect(found?.recipients.map(({ address }) => address)).toEqual([ada]);
      erasing = storage.recipients.eraseEmails(person, emails);
      await untilWaiting(erasing);
      const report = { id: reportId, workspaceId: shop.id, kind: "notification", source: "dsn" } as const;
      const raw = Buffer.from(`To: ${ada}`).toString("base64");
      await reports.keep({ ...report, emailId: id, effects: [], createdAt: 1, digest: "d", raw });
    });
    await erasing;
    expect(await storage.reports.find(shop.id, reportId)).toMatchObject({ raw: "" });
  },
);

test("an erasure waits for hits that are being written, and removes where they came from", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const shop = await world.addWorkspace();
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to: [ada] },
    { workspaceId: shop.id },
  );
  const { row } = (await storage.reports.findEmail({ id })) ?? { row: 0 };
  const person = { workspaceId: shop.id, address: ada, addressKey: ada, erasedAs: "erased-0123abcd@invalid" };
  const emails = await storage.recipients.emailsTo(person, 0, 9);
  let erasing: Promise<void> | undefined;
  await storage.transaction(async ({ tracking }) => {
    const [found] = await tracking.find([row]);
    expect(found?.recipients.map(({ address }) => address)).toEqual([ada]);
    erasing = storage.recipients.eraseEmails(person, emails);
    await untilWaiting(erasing);
    const hits = { row, position: 0, kind: "open", count: 1, humanCount: 0, firstAt: 1 } as const;
    const told = { agentClass: "browser", address: "192.0.2.7", agent: "Firefox" } as const;
    await tracking.add([{ ...hits, ...told, firstHumanAt: undefined, machineReason: undefined }], 1, 1);
  });
  await erasing;
  expect(await storage.tracking.list(row)).toMatchObject([
    { count: 1, address: undefined, agent: undefined },
  ]);
});

test("an e-mail that is rescheduled during an erasure brings nothing of it back", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const shop = await world.addWorkspace();
  world.mailer.answerWith(answerAll("deferred", 450, "450 later"));
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to: [ada, "bob@others.example"], headers: { "X-With": ada } },
    { workspaceId: shop.id },
  );
  await world.posthorn.drain();
  const person = { workspaceId: shop.id, address: ada, addressKey: ada, erasedAs: "erased-0123abcd@invalid" };
  const emails = await storage.recipients.emailsTo(person, 0, 9);
  let rescheduling: Promise<boolean> | undefined;
  await storage.transaction(async ({ recipients }) => {
    await recipients.eraseEmails(person, emails);
    const now = world.clock.now();
    rescheduling = storage.emails.reschedule(shop.id, id, now + 3_600_000, now);
    await untilWaiting(rescheduling);
  });
  expect(await rescheduling).toBe(true);
  const payload = (await storage.emails.content(id))?.payload;
  expect(payload).toMatchObject({ headers: [{ value: person.erasedAs }], date: expect.any(Number) });
});
