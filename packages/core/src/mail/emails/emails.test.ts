import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { addTemplate, count, sendTemplate } from "../../../test/template-sends.ts";
import {
  codesOf,
  eventsOf,
  get,
  host,
  hour,
  limitTo,
  minute,
  openWorldForEach,
  type SendInput,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { createPosthorn } from "../../service/service.ts";
import { answerAll, createWorld } from "../../testing/index.ts";
import { worldSecretKey } from "../../testing/world.ts";

openWorldForEach();

describe("accepting an e-mail", () => {
  test("stores every option, and sends them", async () => {
    const sent = await send({
      from: "Acme <news@acme.example>",
      to: ["Ada <ada@example.com>", "bob@example.com"],
      cc: ["carol@example.com"],
      bcc: ["dan@example.com"],
      replyTo: "help@acme.example",
      headers: { "X-Campaign": "spring" },
      tags: ["a", "b"],
      metadata: { order: 7 },
    });
    expect(sent).toMatchObject({
      status: "queued",
      from: "Acme <news@acme.example>",
      to: ["ada@example.com", "bob@example.com"],
      tags: ["a", "b"],
      metadata: { order: 7 },
      createdAt: world.clock.now(),
    });
    expect(await eventsOf("email.queued")).toEqual([
      { email_id: sent.id, template: "", recipients: 4, test: false },
    ]);
    await world.posthorn.drain();
    const mail = await world.mailer.inbox.waitFor({ to: "dan@example.com" });
    expect(mail).toMatchObject({
      from: { name: "Acme", address: "news@acme.example" },
      to: [{ name: "Ada", address: "ada@example.com" }, { address: "bob@example.com" }],
      cc: [{ address: "carol@example.com" }],
      replyTo: [{ address: "help@acme.example" }],
      headers: [
        { name: "X-Campaign", value: "spring" },
        { name: "X-Service-Email-Id", value: sent.id },
        { name: "X-Service-Ref", value: expect.stringMatching(/^[a-z2-7]{26}$/) },
        { name: "Feedback-ID", value: `none:${workspace.id}:direct:posthorn` },
      ],
      envelope: {
        from: "news@acme.example",
        to: ["ada@example.com", "bob@example.com", "carol@example.com", "dan@example.com"],
      },
    });
    expect(JSON.stringify(mail.headers) + JSON.stringify([mail.to, mail.cc])).not.toContain("dan@");
  });

  test("the sender is the e-mail's own, else the workspace's, else the server's, else there is none", async () => {
    expect((await send()).from).toContain("no-reply@posthorn.example");
    await world.posthorn.settings.update({ defaultSenderEmail: "team@acme.example" }, workspace.asOwner);
    expect((await send()).from).toBe("team@acme.example");
    expect((await send({ from: "me@acme.example" })).from).toBe("me@acme.example");
    await world.storage.settings.update(workspace.id, {
      requireVerifiedDomain: true,
      updatedAt: world.clock.now(),
    });
    await expect(send()).rejects.toMatchObject({ code: "domain_not_verified" });
  });

  test("is refused without any sender", async () => {
    const storage = await openTestSqlite();
    // A world has a default sender.
    const bare = createPosthorn({ storage, mailer: world.mailer, secretKey: worldSecretKey });
    await bare.migrate();
    const { id: workspaceId } = await bare.workspaces.ensure({ externalId: "shop", name: "Shop" });
    const sent = bare.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] }, { workspaceId });
    await expect(sent).rejects.toMatchObject({ code: "sender_missing" });
    await bare.close();
    await storage.close();
  });

  test("fifty headers are accepted", async () => {
    const headers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`X-${at}`, "1"]));
    expect((await send({ headers })).status).toBe("queued");
  });

  const cycle: Record<string, unknown> = {};
  cycle["again"] = cycle;

  test.each([
    ["no content", { text: "", html: "" }],
    ["no recipient", { to: [] }],
    ["51 recipients", { to: Array.from({ length: 51 }, (_, index) => `a${index}@example.com`) }],
    ["two addresses in one text", { to: ["a@example.com,b@example.com"] }],
    ["an address twice", { to: ["ada@example.com", "ADA@example.com"] }],
    ["an address in to and in bcc", { bcc: ["ada@example.com"] }],
    ["a From header", { headers: { From: "x@example.com" } }],
    ["a Bcc header", { headers: { bcc: "x@example.com" } }],
    ["a header in two spellings", { headers: { "X-A": "1", "x-a": "2" } }],
    ["a line break in a header", { headers: { "X-A": "1\r\nBcc: x@example.com" } }],
    ["a line break in the subject", { subject: "a\nb" }],
    ["a line break in a tag", { tags: ["a\nb"] }],
    ["11 tags", { tags: Array.from({ length: 11 }, String) }],
    ["metadata over 4 KiB", { metadata: { text: "x".repeat(4096) } }],
    ["metadata with a cycle", { metadata: cycle }],
    ["51 headers", { headers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`X-${at}`, "1"])) }],
    ["a time over 30 days ahead", { scheduledAt: "2030-02-01T12:00:01Z" }],
    ["an unknown field", { subjcet: "x" }],
  ])("%s is refused and leaves nothing", async (_, input) => {
    await expect(send(input as Partial<SendInput>)).rejects.toMatchObject({ code: "validation_failed" });
    expect(await count()).toBe(0);
    expect(await eventsOf("email.queued")).toEqual([]);
  });

  test("a scheduled one waits for its time; one in the past is sent at once", async () => {
    const later = await send({ scheduledAt: "2030-01-01T13:00:00Z" });
    expect(later).toMatchObject({ status: "scheduled", scheduledAt: world.clock.now() + hour });
    expect(await send({ scheduledAt: "2029-01-01T00:00:00Z" })).toMatchObject({ status: "queued" });
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(1);
    const statusOf = async () => (await world.posthorn.emails.get({ emailId: later.id }, host())).status;
    expect(await statusOf()).toBe("scheduled");
    world.clock.advance(hour);
    expect(await statusOf()).toBe("queued");
    await world.posthorn.drain();
    expect(await statusOf()).toBe("sent");
  });

  test("an operator's retry sends a failed one again, and no other", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "no"));
    const { id } = await send();
    await world.posthorn.drain();
    world.mailer.answerWith();
    const retry = (emailId: string) => world.posthorn.emails.retry({ emailId }, { workspaceId: "all" });
    expect((await retry(id)).status).toBe("queued");
    await world.posthorn.drain();
    expect(await retry(id).catch(({ code }) => code)).toBe("not_retryable");
    expect(world.mailer.inbox.all()).toHaveLength(1);
  });

  test("in the host's transaction it commits and rolls back with it", async () => {
    const database = new Sqlite(":memory:");
    database.pragma("foreign_keys = on");
    database.pragma("synchronous = full");
    const hosted = await createWorld(await createSqliteStorage({ database }));
    const { id } = await hosted.addWorkspace();
    const input = { subject: "Hi", text: "Hello", to: ["ada@example.com"] };
    const options = { workspaceId: id, transaction: database };
    for (const end of ["rollback", "commit"]) {
      database.exec("begin immediate");
      await hosted.posthorn.emails.send({ ...input, subject: end }, options);
      database.exec(end);
    }
    expect(await hosted.posthorn.drain()).toBe(1);
    expect(hosted.mailer.inbox.all().map(({ subject }) => subject)).toEqual(["commit"]);
    await hosted.close();
    database.close();
  });
});

describe("quotas", () => {
  test("count to, cc and bcc; a refusal names the limit and charges nothing", async () => {
    await limitTo({ hourlyRateLimit: 3, dailyRateLimit: 10 });
    world.clock.set("2030-01-01T12:59:00Z");
    await send({ cc: ["b@example.com"] });
    const tooMany = send({ cc: ["b@example.com"], idempotencyKey: "again" });
    await expect(tooMany).rejects.toMatchObject({
      code: "rate_limited",
      message: "The plan's hourly limit of 3 recipients has room for 1 more, and this request has 2.",
      retryAfter: 60,
      details: { limit: "hourly_rate_limit", value: 3, used: 2, resets_at: "2030-01-01T13:00:00.000Z" },
    });
    expect(await count()).toBe(1);
    await send({});
    world.clock.advance(minute);
    expect((await send({ cc: ["b@example.com"], idempotencyKey: "again" })).status).toBe("queued");
    expect(await count()).toBe(3);
  });

  test("with one left, one of many is accepted", async () => {
    await limitTo({ dailyRateLimit: 1 });
    const codes = await codesOf(Array.from({ length: 40 }, () => send()));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(["ok", "rate_limited"]));
    expect(await eventsOf("email.queued")).toHaveLength(1);
  });
});

describe("Idempotency-Key", () => {
  test("a repeated request gets the first answer for 24 h, and is a new one afterwards", async () => {
    const first = await send({ idempotencyKey: "k" });
    world.clock.advance(24 * hour - 1);
    const again = { ...JSON.parse(JSON.stringify(first)), replayed: true };
    expect(await send({ idempotencyKey: "k" })).toEqual(again);
    world.clock.advance(2);
    expect((await send({ idempotencyKey: "k" })).id).not.toBe(first.id);
    expect(await count()).toBe(2);
  });

  test("another body under it is refused, even if that body could not be sent", async () => {
    await addTemplate();
    await send({ idempotencyKey: "k" });
    expect(
      await codesOf([
        send({ idempotencyKey: "k", subject: "Other" }),
        sendTemplate({ idempotencyKey: "k", template: "nothing" }),
      ]),
    ).toEqual(["idempotency_key_reused", "idempotency_key_reused"]);
  });

  test("many at once make one e-mail, and all get its answer", async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => send({ idempotencyKey: "k" })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await count()).toBe(1);
    const events = await eventsOf("email.queued");
    expect(events).toHaveLength(1);
  });

  test("belongs to one API key", async () => {
    const asKey = async () => {
      const { key } = await world.posthorn.apiKeys.create({ name: "k" }, workspace.asOwner);
      const caller = await world.posthorn.authenticateApiKey(key);
      if (caller === undefined) throw new Error("the key can't be used");
      return world.posthorn.as(caller).emails;
    };
    const input = { subject: "Hi", text: "x", to: ["ada@example.com"], idempotencyKey: "k" };
    const [one, other] = [await asKey(), await asKey()];
    const first = await one.send(input);
    expect((await other.send(input)).id).not.toBe(first.id);
    expect((await one.send(input)).id).toBe(first.id);
  });
});

test("an API key's last use is recorded at most once a minute", async () => {
  const { key } = await world.posthorn.apiKeys.create({ name: "k" }, workspace.asOwner);
  const used = async () => {
    const as = await world.posthorn.authenticateApiKey(key);
    if (as === undefined) throw new Error("the key is gone");
    await world.posthorn.as(as).emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] });
    const {
      items: [listed],
    } = await world.posthorn.apiKeys.list({}, workspace.asOwner);
    return listed?.lastUsedAt;
  };
  const start = world.clock.now();
  expect(await used()).toBe(start);
  world.clock.advance(minute);
  expect(await used()).toBe(start);
  world.clock.advance(1);
  expect(await used()).toBe(start + minute + 1);
});

test("subscribed webhooks are notified that an e-mail was queued, and that it was cancelled", async () => {
  const url = "https://hooks.example.com/";
  const add = (events: string[], filters: string[] = []) =>
    world.posthorn.webhooks.create({ url, events, filters }, workspace.asOwner);
  await add(["email.queued", "email.cancelled"], ["posthorn.example"]);
  await add(["*"], ["other.example"]);
  await add(["email.sent"]);
  const { id } = await send({ scheduledAt: "2030-01-02T00:00:00Z" });
  await world.posthorn.emails.cancel({ emailId: id }, host());
  await expect(world.posthorn.emails.cancel({ emailId: id }, host())).rejects.toMatchObject({
    message: expect.stringContaining("this one is cancelled"),
  });
  await world.posthorn.drain();
  const timestamp = "2030-01-01T12:00:00.000Z";
  const data = { subject: "Hi", tags: [], metadata: {} };
  expect(world.http.posts.map(({ body }) => JSON.parse(body))).toEqual([
    { event: "email.queued", email_id: id, timestamp, data },
    { event: "email.cancelled", email_id: id, timestamp, data },
  ]);
  expect(world.mailer.inbox.all()).toEqual([]);
});

test("a deferred recipient shows the enhanced code of the reply", async () => {
  const { id } = await send({});
  world.mailer.answerWith(answerAll("deferred", 450, "450 4.2.1 over its rate"));
  await world.posthorn.drain();
  expect((await get(id)).recipients).toMatchObject([{ state: "deferred", enhancedCode: "4.2.1" }]);
  const { id: unreached } = await send({});
  world.mailer.answerWith(answerAll("deferred", undefined, "no route to 4.2.1 of example.com"));
  await world.posthorn.drain();
  expect((await get(unreached)).recipients[0]?.enhancedCode).toBeUndefined();
});
