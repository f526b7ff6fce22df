import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  add,
  answering,
  deliveries,
  drainNext,
  openWebhookWorldForEach,
  queue,
} from "../../../test/webhook-deliveries.ts";
import { database, hour, workspace, world } from "../../../test/world-for-each.ts";
import type { HttpPost } from "../../ports/http-sender.ts";

openWebhookWorldForEach();

const isActive = async (webhookId: string) =>
  (await world.posthorn.webhooks.get({ webhookId }, workspace.asOwner)).isActive;

const failuresOf = async (webhookId: string) =>
  (await world.storage.webhooks.find(workspace.id, webhookId))?.failuresInARow;

const verifies = (secret: string, { body, headers }: HttpPost): boolean => {
  try {
    new Verifier(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe("a delivery", () => {
  test("has a signature that libraries of Standard Webhooks verify", async () => {
    const { id, secret } = await add();
    const deliveryId = await queue(id);
    await world.posthorn.drain();
    const [post] = world.http.posts as [HttpPost];
    expect(post).toMatchObject({
      url: "https://hooks.example.com/",
      timeoutMs: 10_000,
      allowPrivate: false,
      headers: {
        "content-type": "application/json",
        "user-agent": expect.stringMatching(/^Posthorn\//),
        "X-Service-Event": "webhook.test",
        "X-Service-Signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
        "webhook-id": deliveryId,
      },
    });
    expect(verifies(secret, post)).toBe(true);
    expect(verifies(secret, { ...post, body: `${post.body} ` })).toBe(false);
    expect(await deliveries(id)).toMatchObject([
      { status: "delivered", attempts: 1, responseStatus: 200, durationMs: 1, error: "" },
    ]);
    expect(world.posthorn.counters().webhooks).toEqual({ delivered: 1, retried: 0, failed: 0 });
  });

  test("is retried as often as the workspace configures, at intervals growing sixfold, under one id", async () => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(answering(500));
    await world.posthorn.drain();
    expect(await deliveries(id)).toMatchObject([{ status: "pending", error: "answered 500" }]);
    const backlog = async () => (await world.posthorn.queue.status({})).webhooks.endpoints;
    const told = { webhookId: id, host: "hooks.example.com", due: 0, waiting: 1, state: "failing" };
    expect(await backlog()).toMatchObject([{ ...told, failures: 1, error: "answered 500" }]);
    expect([await drainNext(), await drainNext(), await drainNext()]).toEqual([5_000, 30_000, 180_000]);
    expect(await deliveries(id)).toMatchObject([{ status: "failed", attempts: 4 }]);
    expect(await backlog()).toEqual([]);
    expect(await drainNext()).toBe(0);
    expect(world.http.posts).toHaveLength(4);
    expect(new Set(world.http.posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(world.http.posts.map(({ headers }) => headers["webhook-signature"])).size).toBe(4);
    expect(world.posthorn.counters().webhooks).toEqual({ delivered: 0, retried: 3, failed: 1 });
  });

  test("is tried once if there are no retries; a redirect is a failure", async () => {
    await world.posthorn.settings.update({ webhookRetryCount: 0 }, workspace.asOwner);
    const { id } = await add();
    await queue(id);
    world.http.answerWith(answering(302));
    await world.posthorn.drain();
    expect(await deliveries(id)).toMatchObject([{ status: "failed", attempts: 1, responseStatus: 302 }]);
  });

  test.each([
    [60, 60_000],
    [1, 5_000],
    [86_400, hour],
  ])("honours a Retry-After of %i s by waiting %i ms", async (seconds, wait) => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(answering(429, seconds));
    await world.posthorn.drain();
    expect(await drainNext()).toBe(wait);
  });

  test.each([
    [{ fault: "blocked_address" }, "blocked_address"],
    [{ fault: "tls", code: "CERT_HAS_EXPIRED" }, "tls: CERT_HAS_EXPIRED"],
  ] as const)("reports a fault by its class, and by its code if it has one: %o", async (fault, error) => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(() => ({ kind: "fault", ...fault, durationMs: 0 }));
    await world.posthorn.drain();
    expect(await deliveries(id)).toMatchObject([{ error, status: "pending" }]);
  });

  test.each([
    [
      "no body",
      { kind: "response", status: 204 },
      { status: "delivered", responseStatus: 204, responseBody: "" },
    ],
    ["a status alone", { status: 200 }, { status: "pending", error: "other" }],
    ["nothing", undefined, { status: "pending", error: "other" }],
    [
      "no duration",
      { kind: "fault", fault: "connect" },
      { status: "pending", error: "connect", durationMs: 0 },
    ],
  ])(
    "whose sender answers %s is recorded as far as that can be read, and so are others",
    async (_, answer, told) => {
      const [odd, sound] = [await add("odd.example.com"), await add("sound.example.com")];
      for (const { id } of [odd, sound]) await queue(id);
      world.http.answerWith((post) =>
        post.url.startsWith("https://odd") ? (answer as never) : answering(200)(),
      );
      await world.posthorn.drain();
      expect(await deliveries(odd.id)).toMatchObject([told]);
      expect(await deliveries(sound.id)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    },
  );

  test("is retried after a while if this process lacks descriptors, and no attempt is counted", async () => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(() => ({ kind: "fault", fault: "exhausted", durationMs: 0 }));
    await world.posthorn.drain();
    for (let n = 0; n < 9; n++) expect(await drainNext()).toBe(5_000);
    expect(await deliveries(id)).toMatchObject([{ status: "pending", attempts: 0, error: "" }]);
    expect(await world.storage.webhookDeliveries.restoreDue(world.clock.now())).toBe(0);
    world.http.answerWith(answering(200));
    expect(await drainNext()).toBe(5_000);
    expect(await deliveries(id)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  test("whose secret can't be decrypted fails in the end, and delays no other", async () => {
    const [bad, good] = [await add("bad.example.com"), await add("good.example.com")];
    database.prepare("update posthorn_webhooks set secret = 'v1.damaged' where uuid = ?").run(bad.id);
    await queue(bad.id);
    await queue(good.id);
    await world.posthorn.drain();
    for (let n = 0; n < 3; n++) await drainNext();
    expect(await deliveries(bad.id)).toMatchObject([
      { status: "failed", attempts: 4, error: "secret_unreadable" },
    ]);
    expect(await deliveries(good.id)).toMatchObject([{ status: "delivered" }]);
  });
});

test("after a rotation the former secret is valid for 24 hours", async () => {
  const { id, secret } = await add();
  const rotated = await world.posthorn.webhooks.rotateSecret({ webhookId: id }, workspace.asOwner);
  await queue(id);
  await world.posthorn.drain();
  const [during] = world.http.posts as [HttpPost];
  expect([verifies(secret, during), verifies(rotated.secret, during)]).toEqual([true, true]);
  expect(during.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  world.clock.advance(24 * hour);
  await queue(id);
  await world.posthorn.drain();
  expect(world.http.posts[1]?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
});

test("the result of an attempt that took longer than its lease changes nothing", async () => {
  const { id } = await add();
  await queue(id);
  world.http.answerWith(async () => {
    world.clock.advance(hour);
    const [endpoint] = await world.storage.webhookDeliveries.look({
      now: world.clock.now(),
      most: 4,
      limit: 9,
    });
    const wants = [{ row: endpoint?.row ?? 0, limit: 1 }];
    const taken = await world.storage.webhookDeliveries.claim({
      wants,
      now: world.clock.now(),
      leaseMs: hour,
    });
    expect(taken).toHaveLength(1);
    return answering(410)();
  });
  await world.posthorn.drain();
  expect(await isActive(id)).toBe(true);
  expect(await deliveries(id)).toMatchObject([{ status: "pending", responseStatus: undefined }]);
  expect(await world.storage.webhooks.find(workspace.id, id)).toMatchObject({ failuresInARow: 0 });
});

describe("a webhook is disabled", () => {
  const disabled = async () =>
    (
      await world.storage.events.list(
        { workspaceId: workspace.id, type: "webhook.disabled" },
        { offset: 0, limit: 9 },
      )
    ).items.map(({ metadata }) => JSON.parse(metadata));

  test("by 410, at once: with an event, an e-mail to the owner, and no retry", async () => {
    const { id } = await add();
    const heard: string[] = [];
    world.posthorn.on("webhook.disabled", ({ metadata, message }) => heard.push(metadata.webhookId, message));
    await queue(id);
    await queue(id);
    world.http.answerWith(answering(410));
    await world.posthorn.drain();
    expect(await isActive(id)).toBe(false);
    expect((await deliveries(id)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ["failed", 1],
      ["failed", 1],
    ]);
    expect(await disabled()).toEqual([{ webhook_id: id, reason: "the endpoint answered 410 Gone" }]);
    expect(heard).toEqual([id, "Posthorn disabled a webhook"]);
    const mail = await world.mailer.inbox.waitFor({ to: workspace.owner.email });
    expect(mail.text).toContain("https://hooks.example.com/");
    expect(world.mailer.inbox.all()).toHaveLength(1);
  });

  test("by its own answers, not by those of others that are recorded with them", async () => {
    const [gone, failing, working] = [await add(), await add(), await add()];
    const answers = new Map<string, number>();
    for (const [{ id }, status] of [
      [gone, 410],
      [failing, 500],
      [working, 200],
    ] as const)
      answers.set(await queue(id), status);
    world.http.answerWith((post) => answering(answers.get(post.headers["webhook-id"] ?? "") ?? 0)());
    await world.posthorn.drain();
    const standing = await Promise.all(
      [gone, failing, working].map(({ id }) => world.storage.webhooks.find(workspace.id, id)),
    );
    expect(standing.map((one) => [one?.isActive, one?.failuresInARow])).toEqual([
      [false, 1],
      [true, 1],
      [true, 0],
    ]);
    world.http.answerWith();
    await drainNext();
    expect(await failuresOf(failing.id)).toBe(0);
  });

  test("by 30 exhausted deliveries in a row, counted anew after a success", async () => {
    await world.posthorn.settings.update({ webhookRetryCount: 0 }, workspace.asOwner);
    const { id } = await add();
    const fail = async (count: number) => {
      world.http.answerWith(answering(500));
      for (let n = 0; n < count; n++) await queue(id);
      await world.posthorn.drain();
    };
    await fail(29);
    world.http.answerWith();
    await queue(id);
    await world.posthorn.drain();
    await fail(29);
    expect(await isActive(id)).toBe(true);
    await fail(1);
    expect(await isActive(id)).toBe(false);
    expect(await disabled()).toMatchObject([{ webhook_id: id }]);
  });

  test("not by 30 failures around a success that was under way with the first of them", async () => {
    await world.posthorn.settings.update({ webhookRetryCount: 0 }, workspace.asOwner);
    const { id } = await add();
    const run = async (failures: number) => {
      const failing = new Set<string>();
      for (let n = 0; n < failures; n++) failing.add(await queue(id));
      await queue(id);
      world.http.answerWith((post) => answering(failing.has(post.headers["webhook-id"] ?? "") ? 500 : 200)());
      await world.posthorn.drain();
    };
    await run(15);
    expect(world.posthorn.counters().webhooks).toEqual({ delivered: 1, retried: 0, failed: 15 });
    expect(await failuresOf(id)).toBe(0);
    await run(15);
    expect(await isActive(id)).toBe(true);
  });
});
