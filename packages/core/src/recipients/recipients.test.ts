import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashedKey } from "../suppressions/rules/hashed-key.ts";
import { answerAll, createWorld, type TestWorkspace, type World } from "../testing/index.ts";

const ada = "ada.lovelace@people.example";

let world: World;
let shop: TestWorkspace;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "posthorn-erase-"));
  world = await createWorld(await createSqliteStorage({ filename: join(directory, "posthorn.db") }));
  shop = await world.addWorkspace();
});
afterEach(async () => {
  await world.close();
  await rm(directory, { recursive: true });
});

const send = (fields: Partial<Parameters<World["posthorn"]["emails"]["send"]>[0]> = {}) =>
  world.posthorn.emails.send(
    { subject: "For Ada Lovelace", text: `Dear ${ada}`, to: [`Ada Lovelace <${ada}>`], ...fields },
    { workspaceId: shop.id },
  );
const campaign = {
  name: "Spring",
  subject: "Hi {{who}}",
  text: "x",
  from: "shop@shop.example",
  unsubscribe: false as const,
};
const erase = () => world.posthorn.recipients.erase({ email: ada }, shop.asOwner);
const show = (emailId: string) => world.posthorn.emails.get({ emailId }, { workspaceId: shop.id });

async function exported(email = ada): Promise<Record<string, unknown>[]> {
  const { content } = await world.posthorn.recipients.export({ email }, shop.asOwner);
  let text = "";
  for await (const chunk of content) text += Buffer.from(chunk).toString();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns the files of the database that contain the text, ignoring case. */
async function findInFiles(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(directory)) {
    const bytes = (await readFile(join(directory, name))).toString("latin1").toLowerCase();
    const at = bytes.indexOf(text.toLowerCase());
    if (at >= 0) found.push(`${name}: ${JSON.stringify(bytes.slice(Math.max(0, at - 80), at + 60))}`);
  }
  return found;
}

describe("erasure", () => {
  test("leaves no trace of the address and the name in the whole database file", async () => {
    const { posthorn, mailer } = world;
    await posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["*"] }, shop.asOwner);
    const shared = await send({
      subject: "News",
      to: [ada, "bob@others.example"],
      dedupeKey: `welcome_${ada}`,
      headers: { "X-For": ada },
    });
    await posthorn.drain();
    const later = await send({ scheduledAt: new Date(world.clock.now() + 3_600_000).toISOString() });
    await posthorn.campaigns.create(
      { ...campaign, recipients: [{ to: ada, templateData: { who: ada } }] },
      shop.asOwner,
    );
    mailer.answerWith(answerAll("refused", 550, `550 5.1.1 <${ada.toUpperCase()}>: user unknown`));
    const failed = await send({
      idempotencyKey: `for-${ada}-1`,
      metadata: { who: ada },
      tags: [ada, "kept"],
    });
    await posthorn.drain();
    mailer.answerWith();
    for (const address of [ada, "bob@others.example"])
      await world.storage.reports.noteBounceDay({
        workspaceId: shop.id,
        address,
        category: "mailbox_full",
        at: world.clock.now(),
        since: 0,
      });
    expect(await findInFiles(ada)).not.toEqual([]);
    const before = await posthorn.metrics.get({}, shop.asOwner);

    expect(await erase()).toMatchObject({ emails: 3, campaigns: 1, events: expect.any(Number) });
    await posthorn.drain();
    expect(await findInFiles(ada)).toEqual([]);
    expect(await findInFiles("lovelace")).toEqual([]);
    expect(await world.storage.retention.countTimed("bounce_days", world.clock.now() + 86_400_000)).toBe(1);

    const erasedAs = expect.stringMatching(/^erased-[0-9a-f]{8}@invalid$/);
    expect(await show(failed.id)).toMatchObject({
      status: "failed",
      to: [erasedAs],
      subject: "(erased)",
      tags: ["kept"],
      metadata: {},
      contentRemoved: true,
      recipients: [{ address: erasedAs, name: "", lastReply: "", code: 550 }],
      attempts: [{ reply: "", outcome: "failed" }],
    });
    expect(await show(shared.id)).toMatchObject({
      to: [erasedAs, "bob@others.example"],
      subject: "News",
    });
    expect(await show(later.id)).toMatchObject({ status: "cancelled" });
    expect(await posthorn.metrics.get({}, shop.asOwner)).toEqual(before);
  });

  test("a suppressed address stays so, under a hash, until it is allowed again", async () => {
    const { posthorn, storage } = world;
    const suppressed = async (workspace = shop) =>
      (await posthorn.suppressions.check({ emails: [ada.toUpperCase()] }, workspace.asOwner))[0]?.suppressed;
    await posthorn.suppressions.create({ email: ada, reason: `${ada} wrote` }, shop.asOwner);
    await posthorn.suppressions.create({ email: ada, scope: "news" }, shop.asOwner);
    await erase();
    await posthorn.drain();
    expect(await findInFiles(ada)).toEqual([]);
    expect(await suppressed()).toBe(true);
    expect(await suppressed(await world.addWorkspace({ name: "Other" }))).toBe(false);
    await expect(send()).rejects.toMatchObject({ code: "all_recipients_suppressed" });
    expect(await posthorn.suppressions.get({ email: ada }, shop.asOwner)).toMatchObject({
      reason: "",
      origin: "manual",
    });
    // Suppressions also apply at delivery, to mail accepted before.
    const rows = await storage.suppressions.list({ workspaceId: shop.id }, { offset: 0, limit: 9 }, 0);
    expect(rows.items.map(({ addressKey }) => addressKey)).toEqual([
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    ]);
    await posthorn.suppressions.delete({ email: ada }, shop.asOwner);
    expect(await suppressed()).toBe(false);
  });

  test("a hash also stops accepted e-mails at delivery", async () => {
    const { posthorn, storage, clock, mailer } = world;
    const { id } = await send({ scheduledAt: new Date(clock.now() + 120_000).toISOString() });
    await posthorn.checkSecretKey();
    const key = (await storage.operations.findFact("erasure_key")) ?? "";
    await storage.suppressions.put(
      [
        {
          workspaceId: shop.id,
          scope: "*",
          addressKey: hashedKey(key, shop.id, ada),
          address: "erased-00000000@invalid",
          origin: "complaint",
          reason: "",
          emailId: undefined,
          createdBy: undefined,
          createdAt: clock.now(),
          expiresAt: undefined,
        },
      ],
      clock.now(),
    );
    clock.advance(121_000);
    await posthorn.drain();
    expect(mailer.inbox.all()).toEqual([]);
    expect(await show(id)).toMatchObject({ recipients: [{ state: "suppressed" }] });
  });

  test("of an e-mail to several that waits, the others get theirs", async () => {
    const { posthorn, mailer, clock } = world;
    const scheduledAt = new Date(clock.now() + 3_600_000).toISOString();
    const { id } = await send({
      subject: "News",
      text: "News",
      to: [ada, "bob@others.example"],
      scheduledAt,
      headers: { "X-For": ada },
    });
    const own = { subject: "Own", text: "Own", to: ["bob@others.example"], headers: { "X-For": "Bob" } };
    await send({ ...own, scheduledAt });
    await erase();
    await posthorn.drain();
    expect(await findInFiles(ada)).toEqual([]);
    expect((await show(id)).recipients.map(({ state }) => state)).toEqual(["cancelled", "pending"]);
    clock.advance(3_600_000);
    await posthorn.drain();
    const got = mailer.inbox
      .all()
      .map(({ envelope, headers }) => [envelope.to, headers.find(({ name }) => name === "X-For")?.value]);
    expect(got).toEqual([
      [["bob@others.example"], expect.stringMatching(/^erased-/)],
      [["bob@others.example"], "Bob"],
    ]);
    expect(await show(id)).toMatchObject({ status: "partially_sent" });
  });

  test("is recorded in the audit log once, without the address, and changes no other's data", async () => {
    const { posthorn } = world;
    const other = `x.${ada}`;
    const theirs = await send({ to: [other], subject: "Theirs", text: other });
    await send();
    await Promise.all([erase(), erase()]);
    await posthorn.drain();
    await posthorn.drain();
    const { items } = await posthorn.auditLog.listForWorkspace({ size: 50 }, shop.asOwner);
    const told = items.filter(({ type }) => type.startsWith("recipient."));
    expect(told.map(({ type }) => type)).toEqual(["recipient.erased", "recipient.erasure_requested"]);
    expect(JSON.stringify(told)).not.toContain("lovelace");
    expect(await show(theirs.id)).toMatchObject({ to: [other], subject: "Theirs", contentRemoved: false });
    expect(await posthorn.recipients.erase({ email: ada }, shop.asOwner)).toMatchObject({
      emails: 0,
      campaigns: 0,
    });
  });

  test("continues where a killed worker stopped, and counts everything once", async () => {
    const { posthorn, storage, clock } = world;
    for (let n = 0; n < 45; n += 1) await send({ subject: `${n}` });
    await posthorn.drain();
    await erase();
    const now = clock.now();
    const [taken] = await storage.erasures.take(now, now + 60_000, 1);
    // State after a killed worker: one step committed, and part of the next rolled back.
    await storage.transaction(async (within) => {
      if (taken === undefined) throw new Error("nothing was taken");
      const first = await within.recipients.emailsTo(taken, 0, 20);
      await within.recipients.eraseEmails(taken, first);
      await within.erasures.note(
        { ...taken, emails: first.length, cursor: String(first.at(-1)?.row) },
        now + 60_000,
      );
    });
    const killed = storage.transaction(async (within) => {
      if (taken !== undefined)
        await within.recipients.eraseEmails(taken, await within.recipients.emailsTo(taken, 0, 20));
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    await posthorn.drain();
    expect((await storage.erasures.nextDueAt()) ?? 0).toBeGreaterThan(now);
    clock.advance(60_000);
    await posthorn.drain();
    expect(await storage.erasures.nextDueAt()).toBeUndefined();
    const { items } = await posthorn.auditLog.listForWorkspace({ size: 1 }, shop.asOwner);
    expect(items[0]?.metadata).toMatchObject({ emails: 45, campaigns: 0 });
    expect(await findInFiles(ada)).toEqual([]);
  });
});

describe("an export", () => {
  test("has all rows that name the recipient, a line each, and nothing of others", async () => {
    const { posthorn, mailer } = world;
    await posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["*"] }, shop.asOwner);
    const { id } = await send({ idempotencyKey: "k" });
    await send({ to: ["bob@others.example"], subject: "Other", text: "Other" });
    await posthorn.campaigns.create(
      { ...campaign, recipients: [{ to: ada, templateData: { who: "A" } }] },
      shop.asOwner,
    );
    mailer.answerWith((message) =>
      answerAll("refused", 550, `550 5.1.1 <${message.envelope.to[0]}>: user unknown`)(message),
    );
    await posthorn.drain();
    const lines = await exported(ada.toUpperCase());
    const types = new Set(lines.map(({ type }) => type));
    expect(types).toEqual(
      new Set([
        "suppression",
        "suppressions",
        "campaign_recipient",
        "email",
        "idempotency_keys",
        "webhook_deliveries",
        "events",
      ]),
    );
    expect(lines.find(({ type }) => type === "email")).toMatchObject({
      id,
      subject: "For Ada Lovelace",
      recipient: {
        address: ada,
        last_reply: expect.stringContaining("user unknown"),
        category: "invalid_recipient",
        bounced_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
    // Names are the API's throughout; rows of the logs have their columns' names.
    expect(JSON.stringify(lines)).not.toMatch(/"[a-z]+[A-Z]\w*":/);
    expect(lines.find(({ type }) => type === "campaign_recipient")).toMatchObject({
      template_data: { who: "A" },
    });
    expect(JSON.stringify(lines)).not.toContain("bob@");
    expect(await exported("nobody@people.example")).toEqual([]);
  });
});
