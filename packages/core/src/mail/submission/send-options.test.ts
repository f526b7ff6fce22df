import { describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { after, invitation, iso } from "../../../test/send-options.ts";
import {
  day,
  eventsOf,
  get,
  host,
  hour,
  limitTo,
  minute,
  openDatabaseForEach,
  send,
  world,
} from "../../../test/world-for-each.ts";
import { createFixedClock, createWorld } from "../../testing/index.ts";

openDatabaseForEach();

const count = async () => (await world.posthorn.emails.list({}, host())).total;

// platform.md P1
test("priority sets the lane of an e-mail, and is returned with it", async () => {
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
  test("no attempt begins after it: undelivered e-mails then fail as expired", async () => {
    const { id } = await send({ deliverBefore: after(hour) });
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
    const email = await get(id);
    expect(email).toMatchObject({ status: "failed", deliverBefore: world.clock.now(), attempts: [] });
    expect(email.recipients).toMatchObject([{ state: "failed", attempts: 0, lastReply: "expired" }]);
    expect(email.timeline.at(-1)?.message).toMatch(/^Failed: .* Its deadline had passed\.$/);
    expect(await eventsOf("email.failed")).toEqual([{ email_id: id, reply: "expired", reason: "expired" }]);
    expect(await eventsOf("email.bounced")).toEqual([]);
  });

  test("recipients who were accepted before are not affected", async () => {
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
    // The next attempt would be two minutes later, but the e-mail expires at its deadline before that.
    world.clock.advance(30_000);
    await world.posthorn.drain();
    const email = await get(id);
    expect(email).toMatchObject({ status: "partially_sent", attempts: [{ number: 1 }, { number: 2 }] });
    expect(email.recipients.map(({ state, attempts, lastReply }) => [state, attempts, lastReply])).toEqual([
      ["accepted", 1, "ok"],
      ["failed", 2, "expired"],
    ]);
  });

  test("is compared with the database's clock, not the process's", async () => {
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

describe("when_limited: refuse", () => {
  test("a refusal says of a send with more recipients than the limit that no window has room for it", async () => {
    await limitTo({ hourlyRateLimit: 3, dailyRateLimit: 10 });
    const cc = ["b@example.com", "c@example.com", "d@example.com"];
    const message = expect.stringContaining("is less than the 4 of this request: no hour has room for it");
    const details = expect.objectContaining({ limit: "hourly_rate_limit", value: 3, used: 0, recipients: 4 });
    await expect(send({ cc })).rejects.toMatchObject({ code: "rate_limited", message, details });
    const mail = { subject: "Hi", text: "x", from: "a@shop.example", to: ["a@example.com"], cc };
    const { reasons } = await world.posthorn.emails.dryRunSend(mail, host());
    expect(reasons).toEqual([expect.objectContaining({ code: "rate_limited", message, details })]);
    expect((await send({ cc: cc.slice(1) })).status).toBe("queued");
    await expect(send()).rejects.toMatchObject({ message: expect.stringContaining("is reached") });
  });
});

describe("when_limited: defer", () => {
  test("charges the first hour with room, and sends then", async () => {
    await limitTo({ hourlyRateLimit: 2, dailyRateLimit: 5 });
    const sent = [];
    for (let index = 0; index < 7; index += 1) sent.push(await send({ whenLimited: "defer" }));
    expect(sent.map(({ status }) => status)).toEqual(["queued", "queued", ...Array(5).fill("scheduled")]);
    // Two per hour from 12 on, five per day; then the next day.
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

  test("what never fits the limits, or not before its deadline, is refused, and not charged", async () => {
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

  test("a dry run reports the limit and the quota also without a template to send", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    await send();
    const mail = { template: "none", to: ["ada@example.com"] };
    const { reasons, quota } = await world.posthorn.emails.dryRunSendTemplate(mail, host());
    expect(reasons.map(({ code }) => code)).toEqual(["not_found", "rate_limited"]);
    expect(quota.hour).toEqual({ used: 1, limit: 1 });
  });

  test("a repeated request gets the deferred answer", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    await send();
    const order = { whenLimited: "defer", idempotencyKey: "k" } as const;
    const first = await send(order);
    expect(first.status).toBe("scheduled");
    expect(await send(order)).toEqual({ ...first, replayed: true });
    expect(await count()).toBe(2);
  });

  test("twenty at once are charged exactly", async () => {
    await limitTo({ hourlyRateLimit: 3 });
    const sent = await Promise.all(Array.from({ length: 20 }, () => send({ whenLimited: "defer" })));
    const hours = Map.groupBy(sent, ({ scheduledAt }) => iso(scheduledAt));
    expect([...hours.values()].map(({ length }) => length)).toEqual([3, 3, 3, 3, 3, 3, 2]);
  });
});

test("a string where addresses are listed is refused with an example of the list", async () => {
  const { emails, suppressions } = world.posthorn;
  const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };
  const example = 'must be a list, such as ["ada@example.com"]';
  for (const field of ["to", "cc", "bcc"])
    await expect(emails.send({ ...mail, [field]: "ada@example.com" }, host())).rejects.toMatchObject({
      details: [{ path: field, message: example }],
    });
  await expect(suppressions.check({ emails: "ada@example.com" } as never, host())).rejects.toMatchObject({
    details: [{ path: "emails", message: example }],
  });
  const { to: _, ...nobody } = mail;
  await expect(emails.send(nobody as never, host())).rejects.toMatchObject({
    details: [{ path: "to", message: "is required" }],
  });
});

test("a time in seconds is refused, as the e-mail would go at once; any other past time is now", async () => {
  const hour = world.clock.now() + 3_600_000;
  await expect(send({ scheduledAt: Math.floor(hour / 1000) } as object)).rejects.toMatchObject({
    details: [
      { path: "scheduledAt", message: "is a time in seconds: give milliseconds, a Date or ISO 8601" },
    ],
  });
  expect((await send({ scheduledAt: hour } as object)).status).toBe("scheduled");
  expect((await send({ scheduledAt: 5 } as object)).status).toBe("queued");
});

test("an object in place of an address, as other libraries take, is refused with an example of the text", async () => {
  const ada = { name: "Ada", address: "ada@example.com" };
  const message = 'must be a text, such as "a@b.example" or "Name <a@b.example>"';
  for (const [fields, path] of [
    [{ from: ada }, "from"],
    [{ to: [ada] }, "to.0"],
  ] as const)
    await expect(send(fields as object)).rejects.toMatchObject({ details: [{ path, message }] });
});

test.each([
  ["Acme (Support) <a@b.example>", '"Acme (Support)" <a@b.example>'],
  ["Doe, Jane <a@b.example>", '"Doe, Jane" <a@b.example>'],
])("%s is refused with the quotes that its name lacks", async (from, quoted) => {
  const message = `has a name with one of (),;:[], which must be in quotes: ${quoted}`;
  await expect(send({ from })).rejects.toMatchObject({ details: [{ path: "from", message }] });
  expect((await send({ from: quoted })).from).toBe(quoted);
});

test.each(["Acme (Support) <a@b>", "x@b.example, Jane <a@b.example>", 'A" (B) <a@b.example>', "(B)"])(
  "%s is no e-mail address, whatever were in quotes",
  async (from) => {
    const message = 'is not an e-mail address such as "a@b.example" or "Name <a@b.example>"';
    await expect(send({ from })).rejects.toMatchObject({ details: [{ path: "from", message }] });
  },
);

test("of an address that is too long, the part is named", async () => {
  const message = "has more than 64 bytes before the @";
  const from = `Acme <${"a".repeat(65)}@b.example>`;
  await expect(send({ from })).rejects.toMatchObject({ details: [{ path: "from", message }] });
});

test("a body with NUL is refused from a host as it is from a request", async () => {
  const fault = { code: "validation_failed", details: [{ message: "contains a NUL character" }] };
  const text = "Hello\0 ada@example.com";
  await expect(send({ text })).rejects.toMatchObject(fault);
  const batch = { subject: "Hi", html: text, recipients: [{ to: "ada@example.com" }] };
  await expect(world.posthorn.emails.sendBatch(batch, host())).rejects.toMatchObject(fault);
});

test("a sender on behalf of another is named, and an invitation attached", async () => {
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
