import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { die, drainNext, eventsOf, nextAt } from "../../../test/deliveries.ts";
import {
  database,
  get,
  hour,
  minute,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import type { Mailer, MailMessage, MailResult } from "../../ports/mailer.ts";
import { answerAll, createMemoryMailer, createWorld } from "../../testing/index.ts";

openDatabaseForEach();

/** Sends with a result per address, and records the recipients of each attempt. */
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

describe("an attempt", () => {
  test("that is accepted settles the e-mail, with its reply, once", async () => {
    const { id } = await send();
    expect(await world.posthorn.drain()).toBe(1);
    expect(await get(id)).toMatchObject({
      status: "sent",
      sentAt: world.clock.now(),
      recipients: [{ state: "accepted", attempts: 1, code: 250, lastReply: "250 ok" }],
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
      recipients: [{ state: "failed", code: 550 }],
    });
    expect(await eventsOf(id)).toEqual(["email.bounced", "email.failed"]);
    expect(await nextAt()).toBeUndefined();
    expect(world.posthorn.counters().emails.failed).toBe(1);
  });

  test("retries only undecided recipients; the message stays the same", async () => {
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
      attempts: [{ outcome: "deferred", reply: "450 said" }, { outcome: "sent" }],
    });
    expect(await eventsOf(id)).toEqual(["email.bounced", "email.delivery_delayed", "email.sent"]);
  });

  test("is deferred by 1 minute, doubling to 1 hour, and given up within 48 hours", async () => {
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

  test("at a scheduled e-mail has 48 hours from its time, which is also its Date", async () => {
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

  test("whose final dot had no reply is marked in doubt, and retried", async () => {
    world.mailer.answerWith((message) => ({ ...answerAll("deferred", 0, "gone")(message), inDoubt: true }));
    const { id } = await send();
    await world.posthorn.drain();
    expect((await get(id)).attempts).toMatchObject([{ outcome: "deferred", inDoubt: true }]);
  });

  test("leaves recipients without a result undecided, and ignores results of unknown addresses", async () => {
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
      recipients: [{ state: "accepted" }, { state: "deferred", lastReply: "the mailer reported no result" }],
    });
  });

  test("in which the mailer throws is deferred", async () => {
    world.mailer.answerWith(() => Promise.reject(new Error("a bug")));
    const { id } = await send();
    await world.posthorn.drain();
    world.mailer.answerWith();
    expect(await get(id)).toMatchObject({ status: "queued", attempts: [{ reply: "an internal error" }] });
    await drainNext();
    expect((await get(id)).status).toBe("sent");
  });

  test("that the mailer does not end in its time is in doubt, and the e-mail is sent again later", async () => {
    const { clock, storage } = world;
    const ended = (signal: AbortSignal | undefined) =>
      new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const mailer: Mailer = {
      ...{ concurrency: 1, timeoutMs: 1, verify: async () => undefined, close: async () => {} },
      send: (_, { signal } = {}) => ended(signal),
    };
    const { posthorn } = await createWorld(storage, { clock, mailer });
    const { id } = await send();
    // Keeps the process alive: the time-out alone does not.
    const alive = setInterval(() => {}, 1_000);
    await posthorn.drain();
    clearInterval(alive);
    expect((await get(id)).attempts).toMatchObject([
      { outcome: "deferred", inDoubt: true, reply: "the mailer gave no result within 0.001 s" },
    ]);
    await drainNext();
    expect((await get(id)).status).toBe("sent");
    await posthorn.close();
  });

  test("after an interrupted one still reports the first delay, once", async () => {
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

test("the service's own e-mail is sent with its secret, which is then deleted, failed or not", async () => {
  const payloads = () =>
    database
      .prepare("select payload from posthorn_email_payloads")
      .pluck()
      .all()
      .map((text) => JSON.parse(String(text)).data);
  const forgot = async () => {
    await world.posthorn.accounts.forgotPassword({ email: workspace.owner.email });
    // The file is answered before the mail is queued.
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

test("a drain sends no more e-mails at once than the service may, whatever their priorities", async () => {
  const mailer = createMemoryMailer();
  const under = { now: 0, most: 0 };
  const counting: typeof mailer = {
    ...mailer,
    async send(...args) {
      under.now += 1;
      under.most = Math.max(under.most, under.now);
      await new Promise((resolve) => setImmediate(resolve));
      under.now -= 1;
      return mailer.send(...args);
    },
  };
  const storage = await openTestSqlite();
  const careful = await createWorld(storage, { worker: { concurrency: 1 }, mailer: counting });
  onTestFinished(() => careful.close());
  for (const priority of ["high", "normal", "low"] as const) {
    const shop = careful.posthorn.workspace((await careful.addWorkspace()).id);
    await shop.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"], priority });
  }
  expect(await careful.posthorn.drain()).toBe(3);
  expect(under.most).toBe(1);
});
