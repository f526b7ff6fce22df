import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { MailMessage, MailResult } from "../../ports/mailer.ts";
import { claimAll } from "../../testing/contract/email-queue.ts";
import {
  acceptAll,
  answerAll,
  createMemoryMailer,
  createWorld,
  type MemoryMailer,
  type TestWorkspace,
  type World,
} from "../../testing/index.ts";

const minute = 60_000;
const hour = 60 * minute;

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

/** Types of the e-mail's events after its acceptance, oldest first. */
async function eventsOf(emailId: string): Promise<string[]> {
  const events = await world.storage.events.listAfter(0, { workspaceId: "all", category: "email" }, 500);
  return events
    .filter(({ metadata, type }) => JSON.parse(metadata).email_id === emailId && type !== "email.queued")
    .map(({ type }) => type);
}

/** Answers each address in its own way, and notes whom each attempt was for. */
function answerEach(answers: Record<string, ["accepted" | "deferred" | "refused", number]>): string[][] {
  const asked: string[][] = [];
  world.mailer.answerWith((message: MailMessage): MailResult => {
    asked.push(message.envelope.to);
    return {
      recipients: message.envelope.to.map((address) => {
        const [outcome, code] = answers[address] ?? ["accepted", 250];
        return { address, outcome, code, reply: `${code} said` };
      }),
      inDoubt: false,
    };
  });
  return asked;
}

/** When the queue next has something due. */
const nextAt = async () => (await world.storage.emailQueue.look(world.clock.now(), 9)).nextAt;

/** A worker that claims what is due and is never heard of again. */
async function die(): Promise<void> {
  await claimAll(world.storage, { now: world.clock.now(), worker: "dead" });
  world.clock.advance(30_000);
}

/** Moves the clock to when the queue has something due, and handles it. */
async function drainNext(): Promise<number> {
  world.clock.set((await nextAt()) ?? world.clock.now());
  return world.posthorn.drain();
}

describe("an attempt", () => {
  test("that is accepted settles the e-mail, with its reply, once", async () => {
    const { id } = await send();
    expect(await world.posthorn.drain()).toBe(1);
    expect(await get(id)).toMatchObject({
      status: "sent",
      sentAt: world.clock.now(),
      recipients: [{ state: "accepted", attempts: 1, lastCode: 250, lastReply: "250 ok" }],
      attempts: [{ number: 1, outcome: "sent", inDoubt: false, reply: "250 ok" }],
    });
    expect(await eventsOf(id)).toEqual(["email.sent"]);
    expect(await world.posthorn.drain()).toBe(0);
    expect(world.posthorn.counters().emails).toEqual({ sent: 1, deferred: 0, failed: 0 });
  });

  test("that is refused fails at once, without a retry", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 no such user"));
    const { id } = await send();
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({
      status: "failed",
      sentAt: undefined,
      recipients: [{ state: "failed", lastCode: 550 }],
    });
    expect(await eventsOf(id)).toEqual(["email.bounced", "email.failed"]);
    expect(await nextAt()).toBeUndefined();
    expect(world.posthorn.counters().emails.failed).toBe(1);
  });

  test("retries only whom it left open; the message stays the same", async () => {
    const asked = answerEach({
      "b@example.com": ["refused", 550],
      "c@example.com": ["deferred", 450],
    });
    const { id } = await send({ to: ["a@example.com"], cc: ["b@example.com"], bcc: ["c@example.com"] });
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("queued");
    answerEach({});
    world.mailer.inbox.clear();
    const again: MailMessage[] = [];
    world.mailer.answerWith((message) => {
      again.push(message);
      return { recipients: [{ address: "c@example.com", outcome: "accepted", reply: "ok" }], inDoubt: false };
    });
    await drainNext();
    expect(asked).toEqual([["a@example.com", "b@example.com", "c@example.com"]]);
    expect(again).toMatchObject([
      {
        messageId: `<${id}@posthorn.example>`,
        to: [{ address: "a@example.com" }],
        cc: [{ address: "b@example.com" }],
        envelope: { to: ["c@example.com"] },
      },
    ]);
    expect(await get(id)).toMatchObject({
      status: "partially_sent",
      recipients: [
        { state: "accepted", attempts: 1 },
        { state: "failed", attempts: 1 },
        { state: "accepted", attempts: 2 },
      ],
      attempts: [{ outcome: "deferred", reply: "550 said" }, { outcome: "sent" }],
    });
    expect(await eventsOf(id)).toEqual(["email.bounced", "email.delivery_delayed", "email.sent"]);
  });

  test("is put off by 1 minute, doubling to 1 hour, and given up within 48 hours", async () => {
    const messages: MailMessage[] = [];
    world.mailer.answerWith((message) => {
      messages.push(message);
      return answerAll("deferred", 451, "451 later")(message);
    });
    const { id } = await send();
    const start = world.clock.now();
    const times: number[] = [];
    for (let handled = await world.posthorn.drain(); handled > 0; handled = await drainNext())
      times.push(world.clock.now() - start);
    const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / minute);
    expect(gaps.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(times.at(-1)).toBeGreaterThan(46 * hour);
    expect(times.at(-1)).toBeLessThanOrEqual(48 * hour);
    const details = await get(id);
    expect(details.status).toBe("failed");
    expect(details.attempts).toHaveLength(times.length);
    expect(
      new Set(messages.map(({ messageId, date, subject, text }) => [messageId, date, subject, text].join()))
        .size,
    ).toBe(1);
    expect(await eventsOf(id)).toEqual(["email.delivery_delayed", "email.bounced", "email.failed"]);
  });

  test("at a scheduled e-mail has its 48 hours from then on, and dates it then", async () => {
    const dates: number[] = [];
    world.mailer.answerWith((message) => {
      dates.push(message.date);
      return answerAll("deferred", 451, "later")(message);
    });
    const { id } = await send({ scheduledAt: "2030-01-21T12:00:00Z" });
    await drainNext();
    expect((await get(id)).status).toBe("queued");
    await drainNext();
    expect(dates).toEqual([Date.parse("2030-01-21T12:00:00Z"), Date.parse("2030-01-21T12:00:00Z")]);
    for (let handled = 1; handled > 0; handled = await drainNext());
    expect((await get(id)).status).toBe("failed");
    expect(world.clock.now() - Date.parse("2030-01-21T12:00:00Z")).toBeGreaterThan(46 * hour);
  });

  test("whose final dot had no answer is marked, and tried again", async () => {
    world.mailer.answerWith((message) => ({ ...answerAll("deferred", 0, "gone")(message), inDoubt: true }));
    const { id } = await send();
    await world.posthorn.drain();
    expect((await get(id)).attempts).toMatchObject([{ outcome: "deferred", inDoubt: true }]);
  });

  test("leaves open whom the mailer told nothing of, and hears nothing of strangers", async () => {
    world.mailer.answerWith(() => ({
      recipients: [
        { address: "a@example.com", outcome: "accepted", code: 250, reply: "ok" },
        { address: "stranger@example.com", outcome: "refused", code: 550, reply: "no" },
      ],
      inDoubt: false,
    }));
    const { id } = await send({ to: ["a@example.com", "b@example.com"] });
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({
      status: "queued",
      recipients: [{ state: "accepted" }, { state: "deferred", lastReply: "the mailer told nothing" }],
    });
  });

  test("in which the mailer throws is put off", async () => {
    world.mailer.answerWith(() => Promise.reject(new Error("a bug")));
    const { id } = await send();
    await world.posthorn.drain();
    world.mailer.answerWith();
    expect(await get(id)).toMatchObject({ status: "queued", attempts: [{ reply: "an internal error" }] });
    await drainNext();
    expect((await get(id)).status).toBe("sent");
  });

  test("after one that was interrupted still tells of the first delay, once", async () => {
    const { id } = await send();
    await die();
    world.mailer.answerWith(answerAll("deferred", 451, "later"));
    await world.posthorn.drain();
    await drainNext();
    expect((await get(id)).attempts.map(({ outcome }) => outcome)).toEqual([
      "interrupted",
      "deferred",
      "deferred",
    ]);
    expect(await eventsOf(id)).toEqual(["email.delivery_delayed"]);
  });
});

describe("what can't be sent", () => {
  test("a template that passes a limit fails for good, with the reason and no bounce", async () => {
    await world.posthorn.templates.create(
      { name: "long", subject: "x", text: "{{#rows}}{{#rows}}x{{/rows}}{{/rows}}" },
      workspace.asOwner,
    );
    const { id } = await world.posthorn.emails.sendTemplate(
      { template: "long", to: ["ada@example.com"], templateData: { rows: [1] } },
      host(),
    );
    const rows = JSON.stringify({ rows: Array.from({ length: 200 }, () => 1) });
    database
      .prepare(
        "update posthorn_email_payloads set payload = json_set(payload, '$.data', json(?)) where email_id = (select id from posthorn_emails where uuid = ?)",
      )
      .run(rows, id);
    await world.posthorn.drain();
    const details = await get(id);
    expect(details).toMatchObject({ status: "failed", attempts: [{ outcome: "failed" }] });
    expect(details.attempts[0]?.reply).toMatch(/list items/);
    expect(await eventsOf(id)).toEqual(["email.failed"]);
    expect(world.mailer.inbox.all()).toEqual([]);
  });

  test("a template that runs out of time is tried once more, and then fails for good", async () => {
    const turns = "{{#a}}{{^b}}{{/b}}{{/a}}";
    await world.posthorn.templates.create({ name: "slow", subject: "s", text: turns }, host());
    const templateData = { a: new Array(2_000).fill(0), b: 1 };
    const { id } = await world.posthorn.emails.sendTemplate(
      { template: "slow", to: ["ada@example.com"], templateData },
      host(),
    );
    let ms = 0;
    const clock = vi.spyOn(process, "threadCpuUsage").mockImplementation(() => {
      ms += 60;
      return { user: ms * 1_000, system: 0 };
    });
    try {
      await world.posthorn.drain();
      expect(await get(id)).toMatchObject({ status: "queued", recipients: [{ state: "deferred" }] });
      await drainNext();
    } finally {
      clock.mockRestore();
    }
    const lastReply = "Rendering took longer than 100 ms.";
    expect(await get(id)).toMatchObject({ status: "failed", recipients: [{ state: "failed", lastReply }] });
    expect(world.mailer.inbox.all()).toEqual([]);
  });

  test("an e-mail whose content is gone fails, and the next one goes", async () => {
    const { id } = await send();
    const other = await send({ text: "Other" });
    database.pragma("foreign_keys = off");
    database.prepare("delete from posthorn_contents where text = 'Hello'").run();
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({
      status: "failed",
      recipients: [{ lastReply: "the content of the e-mail is gone" }],
    });
    expect((await get(other.id)).status).toBe("sent");
  });

  test("one that ends its process each time is given up in the end, not before two days", async () => {
    const { id } = await send();
    const crash = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await die();
        await world.storage.emailQueue.reclaim(await world.storage.emailQueue.claims(), world.clock.now());
      }
    };
    await crash(120);
    world.mailer.answerWith(answerAll("deferred", 451, "later"));
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("queued");
    world.mailer.answerWith(() => Promise.reject(new Error("it is handed over once more")));
    world.clock.advance(48 * hour);
    await world.posthorn.drain();
    const details = await get(id);
    expect(details.status).toBe("failed");
    expect(details.attempts.at(-1)).toMatchObject({ number: 122, reply: "given up after 121 attempts" });
  });

  test("a damaged one fails with its event and webhook, and the others go", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.failed"] },
      workspace.asOwner,
    );
    const [bad, good] = [await send(), await send()];
    database
      .prepare(
        "update posthorn_email_payloads set payload = substr(payload, 1, 20) where email_id = (select id from posthorn_emails where uuid = ?)",
      )
      .run(bad.id);
    await world.posthorn.drain();
    expect(await get(bad.id)).toMatchObject({
      status: "failed",
      recipients: [{ state: "failed" }],
      attempts: [{ number: 1, outcome: "failed", reply: expect.stringContaining("damaged") }],
    });
    expect((await get(good.id)).status).toBe("sent");
    expect(await eventsOf(bad.id)).toEqual(["email.failed"]);
    expect(world.http.posts.map(({ body }) => JSON.parse(body).email_id)).toEqual([bad.id]);
    expect(await nextAt()).toBeUndefined();
  });
});

test("the service's own mail is sent with its secret, which is then forgotten, failed or not", async () => {
  const payloads = () =>
    database
      .prepare("select payload from posthorn_email_payloads")
      .pluck()
      .all()
      .map((text) => JSON.parse(String(text)).data);
  const forgot = async () => {
    await world.posthorn.accounts.forgotPassword({ email: workspace.owner.email });
    // It is answered before the mail is queued.
    await vi.waitFor(() => expect(payloads()).toHaveLength(1), 60_000);
  };
  await forgot();
  expect(payloads()).toEqual([expect.stringMatching(/^v1/)]);
  world.mailer.answerWith(answerAll("deferred", 451, "later"));
  await world.posthorn.drain();
  expect(payloads()).toEqual([expect.stringMatching(/^v1/)]);
  world.mailer.answerWith();
  await drainNext();
  const mail = await world.mailer.inbox.waitFor({ to: workspace.owner.email });
  expect(mail.text).toMatch(/token=[\w-]{20}/);
  expect(mail.headers).toContainEqual({ name: "Auto-Submitted", value: "auto-generated" });
  expect(payloads()).toEqual([]);
  await forgot();
  world.mailer.answerWith(answerAll("refused", 550, "no"));
  await world.posthorn.drain();
  expect(payloads()).toEqual([]);
});

describe("the worker", () => {
  test("delivers what is accepted while it runs, and stops when nothing is left under way", async () => {
    world.posthorn.start();
    const sent = world.mailer.inbox.waitFor({ subject: "now" });
    const { id } = await send({ subject: "now" });
    await sent;
    await world.posthorn.stop();
    expect((await get(id)).status).toBe("sent");
  });

  test("claims nothing while the queue is paused", async () => {
    await world.posthorn.queue.pause({});
    await send();
    expect(await world.posthorn.drain()).toBe(0);
    await world.posthorn.queue.resume({});
    expect(await world.posthorn.drain()).toBe(1);
  });

  test("stopping waits for what is under way and gives the rest back untried", async () => {
    const small = await createWorld(await openTestSqlite(), {
      worker: { concurrency: 1 },
    });
    const { id: workspaceId } = await small.addWorkspace();
    let answer = () => {};
    const begun = new Promise<void>((resolve) => {
      small.mailer.answerWith(async (message) => {
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        return {
          recipients: [{ address: message.envelope.to[0] ?? "", outcome: "accepted", reply: "ok" }],
          inDoubt: false,
        };
      });
    });
    const input = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await small.posthorn.emails.send(input, { workspaceId })).id);
    small.posthorn.start();
    await begun;
    let stopped = 0;
    const note = () => {
      stopped += 1;
    };
    const stops = [small.posthorn.stop().then(note), small.posthorn.stop().then(note)];
    await small.storage.ping();
    expect(stopped).toBe(0);
    answer();
    await Promise.all(stops);
    const details = await Promise.all(
      ids.map((emailId) => small.posthorn.emails.get({ emailId }, { workspaceId })),
    );
    expect(details.map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ["sent", 1],
      ["queued", 0],
      ["queued", 0],
    ]);
    expect((await small.posthorn.queueStatus()).due).toBe(2);
    await small.close();
  });

  test("shares a queue with another: each e-mail goes once, and both take part", async () => {
    const folder = await mkdtemp(join(tmpdir(), "posthorn-"));
    const open = async (mailer: MemoryMailer) =>
      createWorld(await createSqliteStorage({ filename: join(folder, "queue.db") }), {
        mailer,
        worker: { concurrency: 2, pollMs: 10 },
      });
    const mailers = [createMemoryMailer(), createMemoryMailer()] as const;
    const [one, other] = [await open(mailers[0]), await open(mailers[1])];
    const { id: workspaceId } = await one.addWorkspace();
    const input = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => one.posthorn.emails.send(input, { workspaceId })),
    );
    const took = () => mailers.map(({ inbox }) => inbox.all().map(({ emailId }) => emailId));
    const begun = new Set<MemoryMailer>();
    let openGate = () => {};
    const bothBegun = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    for (const mailer of mailers)
      mailer.answerWith(async (message) => {
        if (begun.add(mailer).size === mailers.length) openGate();
        await bothBegun;
        return acceptAll(message);
      });
    one.posthorn.start();
    other.posthorn.start();
    await vi.waitFor(() => expect(took().flat().length).toBeGreaterThanOrEqual(sent.length), 60_000);
    await Promise.all([one.posthorn.stop(), other.posthorn.stop()]);
    while ((await one.posthorn.drain()) > 0);
    expect(took().flat().sort()).toEqual(sent.map(({ id }) => id).sort());
    expect(begun.size).toBe(2);
    await Promise.all([one.close(), other.close()]);
    await rm(folder, { recursive: true });
  });

  test("a stale worker's outcome changes nothing and tells nobody", async () => {
    world.mailer.answerWith(async (message) => {
      // Meanwhile the lease lapses, and another worker finishes the e-mail.
      world.clock.advance(hour);
      world.mailer.answerWith();
      await other.posthorn.drain();
      return answerAll("refused", 550, "no")(message);
    });
    const other = { posthorn: (await createOther()).posthorn };
    const { id } = await send();
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({ status: "sent", recipients: [{ state: "accepted", attempts: 1 }] });
    expect((await get(id)).attempts.map(({ outcome }) => outcome)).toEqual(["interrupted", "sent"]);
    expect(await eventsOf(id)).toEqual(["email.sent"]);
    expect(world.posthorn.counters().emails).toEqual({ sent: 0, deferred: 0, failed: 0 });
  });
});

/** A second service on the same database, with the same clock and mailer. */
async function createOther(): Promise<World> {
  return createWorld(await createSqliteStorage({ database }), { clock: world.clock, mailer: world.mailer });
}
