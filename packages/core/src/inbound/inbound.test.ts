import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { about, complaint, deliver, feed, notification } from "../../test/returned-mail.ts";
import { day, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { answerAll } from "../testing/index.ts";
import { createReportTokens, returnPathOf } from "./rules/report-token.ts";

openWorldForEach();

const host = (id = workspace.id) => ({ workspaceId: id });
const get = (emailId: string) => world.posthorn.emails.get({ emailId }, host());

async function happened(): Promise<[string, Record<string, unknown>][]> {
  const { events } = await world.storage.events.listAfter(0, { workspaceId: "all", category: "email" }, 500);
  return events
    .filter(({ type }) => type !== "email.queued" && type !== "email.sent")
    .map(({ type, metadata }) => [type, JSON.parse(metadata)]);
}

test("every message carries its token", async () => {
  const { token } = await deliver();
  expect(world.mailer.inbox.all()[0]?.headers).toContainEqual({ name: "X-Service-Ref", value: token });
  const several = await deliver(["a@example.com", "b@example.com"]);
  expect(world.mailer.inbox.all()[1]?.headers).toContainEqual({
    name: "X-Service-Ref",
    value: several.token,
  });
});

describe("a notification that names the e-mail by its token", () => {
  test("records the bounce of the recipient, emits an event and webhooks, and leaves the e-mail sent", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.bounced"] },
      workspace.asOwner,
    );
    const { id, token } = await deliver();
    world.clock.advance(5_000);
    const told = {
      recipient: "ada@example.com",
      class: "block",
      category: "policy",
      reply: "550 5.7.1 No",
      source: "dsn",
    };
    const report = await feed(about(token, [{ reply: told.reply }]));
    expect(report).toEqual({
      id: expect.any(String),
      kind: "notification",
      source: "dsn",
      matched: true,
      emailId: id,
      effects: [
        { kind: "bounce", recipient: told.recipient, class: "block", category: "policy", effect: "noted" },
      ],
      createdAt: world.clock.now(),
    });
    expect(await get(id)).toMatchObject({
      status: "sent",
      recipients: [
        {
          state: "accepted",
          class: "block",
          category: "policy",
          enhancedCode: "5.7.1",
          bouncedAt: world.clock.now(),
          complainedAt: undefined,
        },
      ],
    });
    expect(await happened()).toEqual([["email.bounced", { email_id: id, ...told }]]);
    expect(world.posthorn.counters().inbound).toMatchObject({ unmatched: 0, notification: 1 });
    await world.posthorn.drain();
    expect(world.http.posts.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: "email.bounced", email_id: id, data: { subject: "Hi", ...told } },
    ]);
  });

  test("also if a gateway wrote the return path in capitals", async () => {
    const { id, token } = await deliver();
    const to = returnPathOf(token, "bounces.example").toUpperCase();
    expect(await feed(notification([{}], { to }))).toMatchObject({ matched: true, emailId: id });
  });

  test("replayed a hundred times, unchanged or slightly changed, is one event", async () => {
    const { id, token } = await deliver();
    const message = about(token);
    const [first, ...again] = await Promise.all(Array.from({ length: 50 }, () => feed(message)));
    expect(new Set(again.map((report) => report.id))).toEqual(new Set([first?.id]));
    for (let number = 0; number < 60; number++) await feed(`X-Received: ${number}\r\n${message}`);
    expect(await happened()).toHaveLength(1);
    // Every recipient of the mail could send reports, so only 50 are kept.
    const { total } = await world.posthorn.inbound.list({ emailId: id }, workspace.asOwner);
    expect(total).toBe(50);
    expect((await feed(complaint(token))).id).toBeDefined();
    // Nor may they undo what a person decided.
    const { suppressions } = world.posthorn;
    await suppressions.delete({ email: "ada@example.com" }, workspace.asOwner);
    const { effects } = await feed(`X-Received: late\r\n${message}`);
    expect(effects).toMatchObject([{ category: "invalid_recipient", effect: "known" }]);
    expect((await suppressions.list({}, workspace.asOwner)).total).toBe(0);
  });

  test("of another workspace matches no e-mail here", async () => {
    const { token } = await deliver();
    const other = await world.addWorkspace();
    expect(await feed(about(token), other.asOwner)).toMatchObject({
      id: undefined,
      matched: false,
      effects: [],
    });
    expect(await happened()).toEqual([]);
    expect(world.posthorn.counters().inbound).toMatchObject({ unmatched: 1, notification: 0 });
  });

  test("with a token that was not signed here is ignored", async () => {
    const { id } = await deliver();
    const forged = createReportTokens(Buffer.alloc(32, 1)).make({ row: 1, position: 0 });
    expect(await feed(about(forged))).toMatchObject({ matched: false });
    expect((await get(id)).recipients[0]?.bouncedAt).toBeUndefined();
  });

  test("of an e-mail that retention removed is counted as unmatched", async () => {
    const { id, token } = await deliver();
    world.clock.advance(400 * day);
    await world.storage.emails.deleteBefore(workspace.id, world.clock.now(), 10);
    await expect(get(id)).rejects.toMatchObject({ code: "not_found" });
    expect(await feed(about(token))).toMatchObject({ matched: false });
    expect(world.posthorn.counters().inbound.unmatched).toBe(1);
  });
});

test("of several recipients reports each by address; a delayed one delays the e-mail once", async () => {
  const { id, token } = await deliver(["a@example.com", "B@example.com", "c@example.com", "d@example.com"]);
  const { effects } = await feed(
    about(token, [
      { action: "delayed", to: "a@example.com", reply: "452 4.2.2 full" },
      { to: "d@example.com", reply: "550 5.7.1 blocked using zen.spamhaus.org" },
      { to: "b@EXAMPLE.com", reply: "550 5.2.1 disabled" },
      { action: "relayed", to: "c@example.com" },
      { action: "delayed", to: "c@example.com" },
      { to: "stranger@example.com" },
    ]),
  );
  expect(effects.map((one) => `${one.kind} ${one.recipient} ${one.category} ${one.effect}`)).toEqual([
    // In the order of their rows, by which reports that come at once never deadlock.
    "bounce B@example.com inactive_mailbox noted",
    "bounce d@example.com reputation noted",
    "delay a@example.com mailbox_full noted",
    "delay c@example.com invalid_recipient known",
  ]);
  expect((await happened()).map(([type, { recipient }]) => [type, recipient])).toEqual([
    ["email.bounced", "B@example.com"],
    ["email.bounced", "d@example.com"],
    ["email.delivery_delayed", "a@example.com"],
  ]);
  expect((await get(id)).recipients.map((one) => one.class)).toEqual([undefined, "hard", undefined, "block"]);
});

test("a delay already reported by an attempt is not reported again", async () => {
  world.mailer.answerWith(answerAll("deferred", 451, "451 later"));
  const { id, token } = await deliver();
  world.mailer.answerWith();
  world.clock.advance(10 * 60_000);
  await world.posthorn.drain();
  expect((await get(id)).status).toBe("sent");
  expect((await feed(about(token, [{ action: "delayed" }]))).effects).toMatchObject([{ effect: "known" }]);
  expect((await happened()).map(([type]) => type)).toEqual(["email.delivery_delayed"]);
});

test("a bounce of an e-mail that an attempt had deferred is reported beside the delay", async () => {
  world.mailer.answerWith(answerAll("deferred", 451, "451 later"));
  const { token } = await deliver();
  world.mailer.answerWith();
  world.clock.advance(10 * 60_000);
  await world.posthorn.drain();
  expect((await feed(about(token))).effects).toMatchObject([{ kind: "bounce", effect: "suppressed" }]);
  expect((await happened()).map(([type]) => type)).toEqual(["email.delivery_delayed", "email.bounced"]);
});

describe("a complaint", () => {
  test("is recorded once, beside a bounce", async () => {
    const { id, token } = await deliver();
    expect((await feed(complaint(token))).effects).toMatchObject([
      { kind: "complaint", recipient: "ada@example.com", class: "complaint", category: "abuse" },
    ]);
    await feed(complaint(token, "fraud"));
    await feed(about(token));
    // platform.md P7 knows three sources; what came as a message is `dsn`, also a complaint.
    expect((await happened()).map(([type, { source }]) => [type, source])).toEqual([
      ["email.complained", "dsn"],
      ["email.bounced", "dsn"],
    ]);
    expect((await get(id)).recipients[0]).toMatchObject({ complainedAt: world.clock.now(), class: "hard" });
  });

  test.each(["not-spam", "dkim"])("of the type %s is ignored", async (type) => {
    const { token } = await deliver();
    expect(await feed(complaint(token, type))).toMatchObject({ kind: "complaint", effects: [] });
    expect(await happened()).toEqual([]);
  });
});

describe("our own attempts", () => {
  test("record a refusal's class, and a later report of the same recipient adds nothing", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 5.7.1 Relay access denied"));
    const { id, token } = await deliver();
    expect(await get(id)).toMatchObject({
      status: "failed",
      recipients: [{ class: "setting", category: "relay_denied", enhancedCode: "5.7.1" }],
    });
    const { effects } = await feed(about(token));
    expect(effects).toMatchObject([{ effect: "known" }]);
    expect((await happened()).filter(([type]) => type === "email.bounced")).toMatchObject([
      ["email.bounced", { class: "setting", category: "relay_denied", source: "smtp" }],
    ]);
  });

  test("a report that arrives before our attempt is settled wins; the attempt is recorded", async () => {
    const { posthorn } = world;
    const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com"] };
    const { id } = await posthorn.emails.send(mail, host());
    world.mailer.answerWith(async (message) => {
      const token = message.headers.find(({ name }) => name === "X-Service-Ref")?.value ?? "";
      await feed(about(token));
      return answerAll("refused", 550, "550 5.7.1 no")(message);
    });
    await posthorn.drain();
    expect(await get(id)).toMatchObject({
      status: "failed",
      recipients: [{ category: "invalid_recipient", lastReply: "550 5.7.1 no" }],
      attempts: [{ outcome: "failed" }],
    });
    expect((await happened()).map(([type, { source }]) => [type, source])).toEqual([
      ["email.bounced", "dsn"],
      ["email.failed", undefined],
    ]);
  });

  test("a manual retry may bounce again", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 5.7.1 no"));
    const { id } = await deliver();
    await world.posthorn.emails.retry({ emailId: id }, { workspaceId: "all" });
    await world.posthorn.drain();
    expect((await happened()).filter(([type]) => type === "email.bounced")).toHaveLength(2);
  });
});

describe("stored reports", () => {
  test("are visible to managers with their text, for 7 days", async () => {
    const { id, token } = await deliver();
    const message = `${about(token)}\xff`;
    const { id: reportId = "" } = await feed(message);
    const { inbound } = world.posthorn;
    expect(await inbound.get({ reportId }, workspace.asOwner)).toMatchObject({ emailId: id, raw: message });
    const { items, total } = await inbound.list({ kind: "notification" }, workspace.asOwner);
    expect([items.map((one) => one.id), total]).toEqual([[reportId], 1]);
    expect((await inbound.list({ kind: "complaint" }, workspace.asOwner)).total).toBe(0);
    const other = await world.addWorkspace();
    await expect(inbound.get({ reportId }, other.asOwner)).rejects.toMatchObject({ code: "not_found" });
    for (const role of ["editor", "viewer"] as const) {
      const as = workspace.as(await workspace.addMember(role));
      await expect(inbound.list({}, as)).rejects.toMatchObject({ code: "forbidden" });
      await expect(feed(message, as)).rejects.toMatchObject({ code: "forbidden" });
    }
    world.clock.advance(7 * day + 1);
    await world.posthorn.prune();
    await expect(inbound.get({ reportId }, workspace.asOwner)).rejects.toMatchObject({ code: "not_found" });
  });

  test("a message over 1 MiB is refused, and so is an empty one", async () => {
    const details = [{ path: "message" }];
    await expect(feed("")).rejects.toMatchObject({ code: "validation_failed", details });
    await expect(feed("x".repeat(1_048_577))).rejects.toMatchObject({ code: "payload_too_large" });
  });
});

test("a bounce of a real server is parsed completely", async () => {
  const file = new URL("./fixtures/postfix-two-of-four.eml", import.meta.url);
  const { id, token } = await deliver([
    "full@receiver.example",
    "unknown+tag@receiver.example",
    "ok@receiver.example",
    "unknown2@receiver.example",
  ]);
  const message = readFileSync(file, "latin1").replaceAll(/aea[a-z2-7]{23}/g, token);
  expect((await feed(message)).effects.map(({ recipient }) => recipient)).toEqual([
    "unknown+tag@receiver.example",
    "unknown2@receiver.example",
  ]);
  const { recipients } = await get(id);
  expect(recipients.map(({ bouncedAt }) => bouncedAt !== undefined)).toEqual([false, true, false, true]);
});
