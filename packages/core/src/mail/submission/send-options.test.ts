import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { base64Lines, pieceBytes } from "../../rules/base64-lines.ts";
import {
  answerAll,
  createFixedClock,
  createWorld,
  type TestWorkspace,
  type World,
} from "../../testing/index.ts";
import { readAttachment } from "../attachments/attachment-content.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let database: Database;
let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  database = new Sqlite(":memory:");
  database.pragma("foreign_keys = on");
  database.pragma("synchronous = full");
  world = await createWorld(await createSqliteStorage({ database }));
  workspace = await world.addWorkspace();
});
afterEach(async () => {
  await world.close();
  database.close();
});

type SendInput = Parameters<World["posthorn"]["emails"]["send"]>[0];
const host = () => ({ workspaceId: workspace.id });
const send = (input: Partial<SendInput> = {}) =>
  world.posthorn.emails.send({ subject: "Hi", text: "Hello", to: ["ada@example.com"], ...input }, host());
const get = (emailId: string) => world.posthorn.emails.get({ emailId }, host());
const after = (ms: number) => new Date(world.clock.now() + ms).toISOString();
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const count = async () => (await world.posthorn.emails.list({}, host())).total;

async function limitTo(limits: { hourlyRateLimit?: number; dailyRateLimit?: number }): Promise<void> {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Small", ...limits }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
}

const eventsOf = async (type: string) =>
  (await world.storage.events.list({ workspaceId: workspace.id, type }, { offset: 0, limit: 100 })).items.map(
    ({ metadata }) => JSON.parse(metadata),
  );

/** Everything in the database, as text. */
function dump(): string {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as {
    name: string;
  }[];
  return tables.map(({ name }) => JSON.stringify(database.prepare(`select * from "${name}"`).all())).join();
}

// platform.md P1
test("priority is the lane that an e-mail waits in, and shown with it", async () => {
  const sent = [
    await send({ priority: "low" }),
    await send({ priority: "high" }),
    await send({ priority: "normal" }),
    await send(),
  ];
  expect(sent.map(({ priority }) => priority)).toEqual(["low", "high", "normal", "normal"]);
  const { due } = await world.storage.emailQueue.look(world.clock.now(), 9);
  expect(due.map(({ lane }) => lane).toSorted()).toEqual([0, 1, 2]);
  expect((await get(sent[0]?.id ?? "")).priority).toBe("low");
});

describe("deliver_before", () => {
  test("no attempt begins after it: what is not accepted by then fails as expired", async () => {
    const { id } = await send({ deliverBefore: after(hour) });
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
    const email = await get(id);
    expect(email).toMatchObject({ status: "failed", deliverBefore: world.clock.now() });
    expect(email.recipients).toMatchObject([{ state: "failed", lastReply: "expired" }]);
    expect(await eventsOf("email.failed")).toEqual([{ email_id: id, reply: "expired", reason: "expired" }]);
    expect(await eventsOf("email.bounced")).toEqual([]);
  });

  test("whoever had it accepted before is not touched by it", async () => {
    world.mailer.answerWith((message) => ({
      recipients: message.envelope.to.map((address) =>
        address.startsWith("ada")
          ? { address, outcome: "accepted", code: 250, reply: "ok" }
          : { address, outcome: "deferred", code: 450, reply: "450 later" },
      ),
      inDoubt: false,
    }));
    const { id } = await send({ to: ["ada@example.com", "bob@example.com"], deliverBefore: after(90_000) });
    await world.posthorn.drain();
    world.clock.advance(60_000);
    await world.posthorn.drain();
    expect((await get(id)).attempts).toHaveLength(2);
    // The next attempt would be two minutes later: it is told at its deadline, and not then.
    world.clock.advance(30_000);
    await world.posthorn.drain();
    const email = await get(id);
    expect(email.status).toBe("partially_sent");
    expect(email.recipients.map(({ state, lastReply }) => [state, lastReply])).toEqual([
      ["accepted", "ok"],
      ["failed", "expired"],
    ]);
  });

  test("goes by the database's clock, and not by the process's", async () => {
    const storage = await openTestSqlite();
    const there = createFixedClock();
    const behind = await createWorld(
      { ...storage, now: async () => there.now() },
      { databaseClock: "own", clock: createFixedClock(there.now() - 2 * hour) },
    );
    const { id: workspaceId } = await behind.addWorkspace();
    await behind.posthorn.drain();
    const order = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    const deadline = (ms: number) => new Date(there.now() + ms).toISOString();
    const late = behind.posthorn.emails.send({ ...order, deliverBefore: deadline(-minute) }, { workspaceId });
    await expect(late).rejects.toMatchObject({ code: "deadline_passed" });
    await behind.posthorn.emails.send({ ...order, deliverBefore: deadline(minute) }, { workspaceId });
    await behind.posthorn.drain();
    expect(behind.mailer.inbox.all()).toHaveLength(1);
    await behind.close();
  });

  test.each([
    ["in the past", () => ({ deliverBefore: after(-1) }), "deadline_passed"],
    ["now", () => ({ deliverBefore: after(0) }), "deadline_passed"],
    [
      "before it is sent",
      () => ({ scheduledAt: after(hour), deliverBefore: after(hour) }),
      "deadline_passed",
    ],
    ["31 days ahead", () => ({ deliverBefore: after(31 * day) }), "validation_failed"],
  ])("%s is refused", async (_, input, code) => {
    await expect(send(input())).rejects.toMatchObject({ code });
  });
});

describe("when_limited: defer", () => {
  test("charges the first hour with room, and sends then", async () => {
    await limitTo({ hourlyRateLimit: 2, dailyRateLimit: 5 });
    const sent = [];
    for (let index = 0; index < 7; index += 1) sent.push(await send({ whenLimited: "defer" }));
    expect(sent.map(({ status }) => status)).toEqual(["queued", "queued", ...Array(5).fill("scheduled")]);
    // Two an hour from 12 on, five a day; then the next day.
    expect(sent.map(({ scheduledAt }) => iso(scheduledAt))).toEqual([
      undefined,
      undefined,
      "2030-01-01T13:00:00.000Z",
      "2030-01-01T13:00:00.000Z",
      "2030-01-01T14:00:00.000Z",
      "2030-01-02T00:00:00.000Z",
      "2030-01-02T00:00:00.000Z",
    ]);
    await expect(send()).rejects.toMatchObject({ code: "rate_limited" });
    expect(await world.posthorn.drain()).toBe(2);
    world.clock.set("2030-01-02T00:00:00Z");
    await expect(send()).rejects.toMatchObject({ code: "rate_limited" });
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(7);
  });

  test("what the limits can never hold, or not before its deadline, is refused, and charged to nothing", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const two = ["ada@example.com", "bob@example.com"];
    await expect(send({ to: two, whenLimited: "defer" })).rejects.toMatchObject({
      code: "limit_never_opens",
    });
    await send();
    const soon = { whenLimited: "defer", deliverBefore: after(30 * minute) } as const;
    await expect(send({ ...soon, dedupeKey: "k", idempotencyKey: "i" })).rejects.toMatchObject({
      code: "limit_never_opens",
    });
    expect(await count()).toBe(1);
    const waiting = { whenLimited: "defer", dedupeKey: "k", idempotencyKey: "i" } as const;
    expect(iso((await send(waiting)).scheduledAt)).toBe("2030-01-01T13:00:00.000Z");
  });

  test("a repeated request gets the deferred answer", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    await send();
    const order = { whenLimited: "defer", idempotencyKey: "k" } as const;
    const first = await send(order);
    expect(first.status).toBe("scheduled");
    expect(await send(order)).toEqual(first);
    expect(await count()).toBe(2);
  });

  test("twenty at once are charged exactly", async () => {
    await limitTo({ hourlyRateLimit: 3 });
    const sent = await Promise.all(Array.from({ length: 20 }, () => send({ whenLimited: "defer" })));
    const hours = Map.groupBy(sent, ({ scheduledAt }) => iso(scheduledAt));
    expect([...hours.values()].map(({ length }) => length)).toEqual([3, 3, 3, 3, 3, 3, 2]);
  });
});

describe("dedupe_key", () => {
  test("sends once, ever, whatever the later ones say", async () => {
    const first = await send({ dedupeKey: "order-7" });
    expect(first.deduplicated).toBe(false);
    world.clock.advance(40 * day);
    const again = await send({ dedupeKey: "order-7", subject: "Other", to: ["bob@example.com"] });
    expect(again).toMatchObject({ id: first.id, subject: "Hi", deduplicated: true });
    expect(await count()).toBe(1);
    const other = await world.addWorkspace();
    const elsewhere = await world.posthorn.emails.send(
      { subject: "Hi", text: "x", to: ["ada@example.com"], dedupeKey: "order-7" },
      { workspaceId: other.id },
    );
    expect(elsewhere.deduplicated).toBe(false);
  });

  test("of ten at once, one is sent", async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => send({ dedupeKey: "k" })));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(sent.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test("is answered though the send would be refused by now, and charged to nobody", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const first = await send({ dedupeKey: "k", idempotencyKey: "i" });
    expect(await send({ dedupeKey: "k" })).toMatchObject({ id: first.id });
    const late = await send({ dedupeKey: "k", deliverBefore: after(-1) });
    expect(late).toMatchObject({ id: first.id, deduplicated: true });
  });

  test("is not given to what is refused", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    await send();
    await expect(send({ dedupeKey: "k" })).rejects.toMatchObject({ code: "rate_limited" });
    world.clock.advance(hour);
    expect((await send({ dedupeKey: "k" })).deduplicated).toBe(false);
  });

  test("stays spent when the log has forgotten the e-mail", async () => {
    const { id } = await send({ dedupeKey: "k" });
    await world.posthorn.drain();
    await world.storage.emails.deleteBefore(workspace.id, world.clock.now() + 1, 10);
    await expect(send({ dedupeKey: "k" })).rejects.toMatchObject({
      code: "dedupe_key_spent",
      details: { email_id: id },
    });
    expect(await count()).toBe(0);
  });

  test("a dry run tells of it and does not take it", async () => {
    const dry = () =>
      world.posthorn.emails.dryRunSend(
        { subject: "Hi", text: "x", to: ["ada@example.com"], dedupeKey: "k" },
        host(),
      );
    expect(await dry()).toMatchObject({ wouldSend: true, warnings: [] });
    const { id } = await send({ dedupeKey: "k" });
    expect(await dry()).toMatchObject({
      wouldSend: false,
      reasons: [],
      warnings: [{ code: "deduplicated", details: { email_id: id } }],
    });
  });
});

test("a dry run warns of html that Gmail shows only the beginning of", async () => {
  const warned = async (bytes: number) => {
    const mail = { subject: "S", html: "x".repeat(bytes), to: ["ada@example.com"] };
    return (await world.posthorn.emails.dryRunSend(mail, host())).warnings.map(({ code }) => code);
  };
  expect([await warned(102 * 1024), await warned(102 * 1024 + 1)]).toEqual([[], ["html_clipped"]]);
});

const invitation = (summary: string): string =>
  [
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `SUMMARY:${summary}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");

test("who sends on behalf of another is named, and an invitation goes along", async () => {
  await send({ sender: "Desk <desk@acme.example>", calendar: invitation("Lunch") });
  await world.posthorn.drain();
  expect(world.mailer.inbox.find({ to: "ada@example.com" })).toMatchObject({
    sender: { name: "Desk", address: "desk@acme.example" },
    calendar: { method: "REQUEST", content: invitation("Lunch") },
  });
  await expect(send({ calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR" })).rejects.toMatchObject({
    code: "validation_failed",
    details: [{ path: "calendar", message: expect.stringContaining("METHOD") }],
  });
  await expect(send({ sender: "nobody" })).rejects.toMatchObject({ details: [{ path: "sender" }] });
});

describe("sensitive", () => {
  const secret = "the-code-is-4711";

  test("nothing of what a mail says is in the database as it stands, nor in the kept answer", async () => {
    await world.posthorn.templates.create(
      { name: "code", subject: "Code {{code}}", text: "Your code: {{code}}" },
      workspace.asOwner,
    );
    const literal = await send({
      subject: secret,
      text: `It is ${secret}`,
      html: `<p>${secret}</p>`,
      calendar: invitation(secret),
      sensitive: true,
      idempotencyKey: "k",
    });
    const rendered = await world.posthorn.emails.sendTemplate(
      {
        template: "code",
        to: ["bob@example.com"],
        templateData: { code: secret },
        sensitive: true,
        idempotencyKey: "l",
      },
      host(),
    );
    expect([literal.subject, rendered.subject]).toEqual(["", ""]);
    expect(dump()).not.toContain(secret);
    await world.posthorn.drain();
    expect(world.mailer.inbox.find({ to: "ada@example.com" })).toMatchObject({
      subject: secret,
      text: `It is ${secret}`,
      html: `<p>${secret}</p>`,
      calendar: { method: "REQUEST", content: invitation(secret) },
      isSensitive: true,
    });
    expect(world.mailer.inbox.find({ to: "bob@example.com" })).toMatchObject({
      subject: `Code ${secret}`,
      text: `Your code: ${secret}`,
    });
  });

  test("its files are sealed, and once it is settled nobody can read them", async () => {
    const bytes = Buffer.from(secret.repeat(20_000));
    const attachments = [
      { filename: `${secret}.csv`, content: bytes, contentType: "text/x-secret" },
      { filename: "logo.png", content: Buffer.from(secret), contentId: "logo" },
    ];
    const html = '<img src="cid:logo">';
    const sent = await send({ subject: secret, html, sensitive: true, idempotencyKey: "k", attachments });
    const untold = { filename: "", contentType: "application/octet-stream", contentId: undefined };
    expect(sent.attachments).toEqual([
      { position: 0, size: bytes.length, ...untold },
      { position: 1, size: secret.length, ...untold },
    ]);
    const pieces = Array.from({ length: 2 }, (_, position) =>
      base64Lines(bytes.subarray(position * pieceBytes)),
    );
    const isReadable = () =>
      [secret, ...pieces.map((one) => one.slice(0, 60))].some((one) => dump().includes(one));
    expect(isReadable()).toBe(false);
    await expect(
      world.posthorn.emails.getAttachment({ emailId: sent.id, position: 0 }, workspace.asOwner),
    ).rejects.toMatchObject({ code: "content_unavailable" });
    let found: { filename: string; contentId: string | undefined; content: string }[] = [];
    world.mailer.answerWith(async (message) => {
      found = await Promise.all(
        message.attachments.map(async ({ filename, contentId, ...file }) => ({
          filename,
          contentId,
          content: String(await readAttachment(file)),
        })),
      );
      return answerAll("refused", 550, "550 no")(message);
    });
    await world.posthorn.drain();
    expect(found).toEqual([
      { filename: `${secret}.csv`, contentId: undefined, content: String(bytes) },
      { filename: "logo.png", contentId: "logo", content: secret },
    ]);
    // Their key was in the payload, and nowhere else.
    expect(database.prepare("select count(*) as n from posthorn_email_payloads").get()).toEqual({ n: 0 });
    expect(isReadable()).toBe(false);
  });

  test("a batch's shared files are sealed once, and each of its e-mails can read them until it is settled", async () => {
    const { emails } = await world.posthorn.emails.sendBatch(
      {
        subject: secret,
        text: "x",
        sensitive: true,
        recipients: [{ to: "ada@example.com" }, { to: "bob@example.com" }],
        attachments: [{ filename: `${secret}.txt`, content: Buffer.from(secret) }],
      },
      host(),
    );
    expect(emails).toHaveLength(2);
    expect(dump()).not.toContain(secret);
    expect(dump()).not.toContain(Buffer.from(secret).toString("base64"));
    expect(database.prepare("select count(*) as n from posthorn_blobs").get()).toEqual({ n: 1 });
    await world.posthorn.drain();
    for (const to of ["ada@example.com", "bob@example.com"])
      expect(world.mailer.inbox.find({ to })?.attachments.map(({ filename }) => filename)).toEqual([
        `${secret}.txt`,
      ]);
  });

  test("what it says is dropped in the transaction that settles it, and it can't be tried again", async () => {
    const payloads = () => database.prepare("select count(*) as n from posthorn_email_payloads").get();
    world.mailer.answerWith(answerAll("refused", 550, "550 no"));
    const { id } = await send({ sensitive: true });
    expect(payloads()).toEqual({ n: 1 });
    await world.posthorn.drain();
    expect(payloads()).toEqual({ n: 0 });
    await expect(world.posthorn.emails.retry({ emailId: id }, workspace.asOwner)).rejects.toMatchObject({
      code: "not_retryable",
      message: expect.stringContaining("sensitive"),
    });
  });

  test("two requests under one key are told apart by a digest that needs the key", async () => {
    const order = { sensitive: true, idempotencyKey: "k", text: secret };
    const first = await send(order);
    expect(await send(order)).toEqual(first);
    await expect(send({ ...order, text: "other" })).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });
});

describe("rescheduling and cancelling", () => {
  const reschedule = (emailId: string, scheduledAt: string | null) =>
    world.posthorn.emails.reschedule({ emailId, scheduledAt }, host());

  test("an e-mail that waits is sent at another time, or now", async () => {
    const { id } = await send({ scheduledAt: after(day) });
    const moved = await reschedule(id, after(2 * day));
    expect([moved.status, iso(moved.scheduledAt)]).toEqual(["scheduled", after(2 * day)]);
    expect(await eventsOf("email.rescheduled")).toEqual([
      { email_id: id, from: after(day), to: after(2 * day) },
    ]);
    world.clock.advance(day + hour);
    expect(await world.posthorn.drain()).toBe(0);
    expect((await reschedule(id, null)).status).toBe("queued");
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("sent");
    await expect(reschedule(id, null)).rejects.toMatchObject({ code: "not_cancellable" });
  });

  test("a time is an instant by its offset, whatever a zone's clocks do; a time of some zone is none", async () => {
    const at = new Date(world.clock.now() + 10 * day);
    const day10 = at.toISOString().slice(0, 10);
    const { id, scheduledAt } = await send({ scheduledAt: `${day10}T02:30:00+02:00` });
    expect(iso(scheduledAt)).toBe(`${day10}T00:30:00.000Z`);
    expect(iso((await reschedule(id, `${day10}T02:30:00+01:00`)).scheduledAt)).toBe(`${day10}T01:30:00.000Z`);
    for (const vague of [`${day10}T02:30:00`, `${day10}T02:30:00[Europe/Berlin]`, `${day10} 02:30 CET`])
      await expect(reschedule(id, vague)).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ path: "scheduledAt" }],
      });
  });

  test("one that waited for weeks is tried for its 48 hours from when it is sent", async () => {
    const { id } = await send({ scheduledAt: after(20 * day) });
    world.clock.advance(19 * day);
    await reschedule(id, null);
    world.mailer.answerWith(answerAll("deferred", 450, "450 later"));
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("queued");
  });

  test("not beyond its deadline, nor more than 30 days ahead", async () => {
    const { id } = await send({ deliverBefore: after(2 * hour) });
    await expect(reschedule(id, after(2 * hour))).rejects.toMatchObject({ code: "deadline_passed" });
    await expect(reschedule(id, after(31 * day))).rejects.toMatchObject({
      details: [{ path: "scheduledAt", message: "is more than 30 days ahead" }],
    });
    expect(iso((await reschedule(id, after(hour))).scheduledAt)).toBe(after(hour));
  });

  test("one that a mail server may have taken is not cancelled", async () => {
    world.mailer.answerWith((message) => ({
      ...answerAll("deferred", 450, "no answer")(message),
      inDoubt: true,
    }));
    const { id } = await send();
    await world.posthorn.drain();
    await expect(world.posthorn.emails.cancel({ emailId: id }, host())).rejects.toMatchObject({
      code: "not_cancellable",
      message: expect.stringContaining("may have taken it"),
    });
    expect((await get(id)).status).toBe("queued");
  });

  test("people do it with emails:write, in their workspace", async () => {
    const { id } = await send({ scheduledAt: after(day) });
    const { emails } = world.posthorn;
    const viewer = workspace.as(await workspace.addMember("viewer"));
    const editor = workspace.as(await workspace.addMember("editor"));
    const stranger = (await world.addWorkspace()).asOwner;
    const input = { emailId: id };
    for (const [as, code] of [
      [viewer, "forbidden"],
      [stranger, "not_found"],
    ] as const) {
      await expect(emails.cancel(input, as)).rejects.toMatchObject({ code });
      await expect(emails.retry(input, as)).rejects.toMatchObject({ code });
      const moving = emails.reschedule({ ...input, scheduledAt: null }, as);
      await expect(moving).rejects.toMatchObject({ code });
    }
    const later = await emails.reschedule({ ...input, scheduledAt: after(2 * day) }, editor);
    expect(iso(later.scheduledAt)).toBe(after(2 * day));
    expect((await emails.cancel(input, editor)).status).toBe("cancelled");
    world.mailer.answerWith(answerAll("refused", 550, "550 no"));
    const failed = await send();
    await world.posthorn.drain();
    const again = await emails.retry({ emailId: failed.id }, editor);
    expect(again.status).toBe("queued");
  });

  test("what is past its deadline is not tried again", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 no"));
    const { id } = await send({ deliverBefore: after(hour) });
    await world.posthorn.drain();
    world.clock.advance(hour);
    await expect(world.posthorn.emails.retry({ emailId: id }, workspace.asOwner)).rejects.toMatchObject({
      code: "not_retryable",
    });
  });
});
