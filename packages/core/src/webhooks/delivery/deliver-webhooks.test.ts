import { randomUUID } from "node:crypto";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite, { type Database } from "better-sqlite3";
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { HttpPost, HttpPostResult } from "../../ports/http-sender.ts";
import { createWorld, type TestWorkspace, type World } from "../../testing/index.ts";

const hour = 3_600_000;
/** A condition is waited for, however busy the machine is. */
const patience = { timeout: 60_000, interval: 10 };

let database: Database;
let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  database = new Sqlite(":memory:");
  database.pragma("foreign_keys = on");
  database.pragma("synchronous = full");
  world = await createWorld(await createSqliteStorage({ database }));
  // `standardwebhooks` judges by the machine's clock.
  world.clock.set(Date.now());
  workspace = await world.addWorkspace();
});
afterEach(async () => {
  await world.close();
  database.close();
});

const add = (host = "hooks.example.com") =>
  world.posthorn.webhooks.create({ url: `https://${host}/`, events: ["email.sent"] }, workspace.asOwner);
/** Queues a delivery of `webhook.test`; its id. */
async function queue(webhookId: string): Promise<string> {
  const [id, now, event] = [randomUUID(), world.clock.now(), "webhook.test"];
  const payload = JSON.stringify({ event, webhook_id: webhookId, timestamp: new Date(now).toISOString() });
  await world.storage.webhookDeliveries.insert([
    { id, webhookId, workspaceId: workspace.id, event, payload, createdAt: now, dueAt: now },
  ]);
  return id;
}
const deliveries = async (webhookId: string) =>
  (await world.posthorn.webhooks.listDeliveries({ webhookId, size: 100 }, workspace.asOwner)).items;
const isActive = async (webhookId: string) =>
  (await world.posthorn.webhooks.get({ webhookId }, workspace.asOwner)).isActive;
const answering = (status: number, retryAfter?: number) => (): HttpPostResult => ({
  kind: "response",
  status,
  body: "hello",
  durationMs: 3,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** Moves the clock to when a delivery is due, and handles it; how long that was, ms. */
async function drainNext(): Promise<number> {
  const before = world.clock.now();
  world.clock.set((await world.storage.webhookDeliveries.nextDueAt()) ?? before);
  await world.posthorn.drain();
  return world.clock.now() - before;
}

const verifies = (secret: string, { body, headers }: HttpPost): boolean => {
  try {
    new Verifier(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe("a delivery", () => {
  test("is signed so that the libraries of Standard Webhooks verify it", async () => {
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

  test("is tried again as often as the workspace says, six times as late each time, under one id", async () => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(answering(500));
    await world.posthorn.drain();
    expect(await deliveries(id)).toMatchObject([{ status: "pending", error: "answered 500" }]);
    expect([await drainNext(), await drainNext(), await drainNext()]).toEqual([5_000, 30_000, 180_000]);
    expect(await deliveries(id)).toMatchObject([{ status: "failed", attempts: 4 }]);
    expect(await drainNext()).toBe(0);
    expect(world.http.posts).toHaveLength(4);
    expect(new Set(world.http.posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(world.http.posts.map(({ headers }) => headers["webhook-signature"])).size).toBe(4);
    expect(world.posthorn.counters().webhooks).toEqual({ delivered: 0, retried: 3, failed: 1 });
  });

  test("is tried once where there are no retries; a redirect is a failure", async () => {
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

  test("tells a fault by its class", async () => {
    const { id } = await add();
    await queue(id);
    world.http.answerWith(() => ({ kind: "fault", fault: "blocked_address", durationMs: 0 }));
    await world.posthorn.drain();
    expect(await deliveries(id)).toMatchObject([{ error: "blocked_address", status: "pending" }]);
  });

  test("that this process lacks descriptors for is tried again after a while, and no attempt is counted", async () => {
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

  test("whose secret can't be opened fails in the end, and holds up no other", async () => {
    const [bad, good] = [await add("bad.example.com"), await add("good.example.com")];
    database.prepare("update posthorn_webhooks set secret = 'v1.damaged' where uuid = ?").run(bad.id);
    await queue(bad.id);
    await queue(good.id);
    await world.posthorn.drain();
    for (let n = 0; n < 3; n++) await drainNext();
    expect(await deliveries(bad.id)).toMatchObject([{ status: "failed", attempts: 4, error: "other" }]);
    expect(await deliveries(good.id)).toMatchObject([{ status: "delivered" }]);
  });
});

test("after a rotation the former secret is good for 24 hours", async () => {
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

describe("a webhook is disabled", () => {
  const disabled = async () =>
    (
      await world.storage.events.list(
        { workspaceId: workspace.id, type: "webhook.disabled" },
        { offset: 0, limit: 9 },
      )
    ).items.map(({ metadata }) => JSON.parse(metadata));

  test("by 410, at once: with an event, a mail to the owner, and no retry", async () => {
    const { id } = await add();
    const heard: string[] = [];
    world.posthorn.on("webhook.disabled", ({ metadata }) => heard.push(metadata.webhookId));
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
    expect(heard).toEqual([id]);
    const mail = await world.mailer.inbox.waitFor({ to: workspace.owner.email });
    expect(mail.text).toContain("https://hooks.example.com/");
    expect(world.mailer.inbox.all()).toHaveLength(1);
  });

  test("by 30 exhausted deliveries in a row, which a success between begins anew", async () => {
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
});

describe("the worker", () => {
  /** Holds up posts to the hosts that match until they are let go; who was posted to, and is held. */
  function hold(hosts: RegExp) {
    const posted: string[] = [];
    const held: { url: string; go(answer: HttpPostResult): void }[] = [];
    world.http.answerWith(({ url }) => {
      posted.push(url);
      if (!hosts.test(url)) return Promise.resolve(answering(200)());
      return new Promise<HttpPostResult>((go) => held.push({ url, go }));
    });
    const letGo = (status: number) => {
      for (const { go } of held.splice(0)) go(answering(status)());
    };
    return { posted, held, letGo };
  }

  test("has at most four posts to an endpoint under way, and a dead one holds up no other", async () => {
    const [dead, good] = [await add("dead.example.com"), await add("good.example.com")];
    for (let n = 0; n < 40; n++) await queue(dead.id);
    for (let n = 0; n < 5; n++) await queue(good.id);
    const { held, letGo } = hold(/dead/);
    world.posthorn.start();
    await vi.waitFor(
      async () =>
        expect((await deliveries(good.id)).map(({ status }) => status)).toEqual(Array(5).fill("delivered")),
      patience,
    );
    expect(held).toHaveLength(4);
    letGo(500);
    // Having failed, it gets one at a time.
    await vi.waitFor(() => expect(held).toHaveLength(1), patience);
    const stopped = world.posthorn.stop();
    letGo(500);
    await stopped;
    expect((await deliveries(dead.id)).filter(({ attempts }) => attempts > 0)).toHaveLength(5);
  });

  test("leaves room for others, however many endpoints of one workspace stall", async () => {
    for (let n = 0; n < 20; n++) {
      const { id } = await add(`slow${n}.example.com`);
      await queue(id);
      await queue(id);
    }
    const other = await world.addWorkspace();
    const { id } = await world.posthorn.webhooks.create(
      { url: "https://good.example.com/", events: ["*"] },
      other.asOwner,
    );
    const { held, letGo } = hold(/slow/);
    world.posthorn.start();
    await vi.waitFor(() => expect(held).toHaveLength(20), patience);
    const queued = await world.posthorn.webhooks.test({ webhookId: id }, other.asOwner);
    await vi.waitFor(async () => {
      const { items } = await world.posthorn.webhooks.listDeliveries({ webhookId: id }, other.asOwner);
      expect(items).toMatchObject([{ id: queued.id, status: "delivered" }]);
    }, patience);
    const stopped = world.posthorn.stop();
    letGo(200);
    await stopped;
    const leased = database.prepare(
      "select count(*) from posthorn_webhook_deliveries where lease_until is not null",
    );
    expect(leased.pluck().get()).toBe(0);
  });

  test("leaves an endpoint alone for as long as it asks, whatever waits there", async () => {
    const { id } = await add();
    for (let n = 0; n < 3; n++) await queue(id);
    const [first] = await deliveries(id);
    world.http.answerWith(answering(503, 120));
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(3);
    await queue(id);
    world.clock.advance(119_000);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(3);
    world.http.answerWith(answering(200));
    expect(await drainNext()).toBe(1_000);
    expect((await deliveries(id)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    expect(first?.attempts).toBe(0);
  });

  test("posts nothing to a webhook that was switched off: what waits for it ends", async () => {
    const { id } = await add();
    for (let n = 0; n < 3; n++) await queue(id);
    await world.posthorn.webhooks.update({ webhookId: id, isActive: false }, workspace.asOwner);
    await world.posthorn.drain();
    expect(world.http.posts).toEqual([]);
    const ended = { status: "failed", attempts: 0, error: "the webhook is switched off", dueAt: undefined };
    expect(await deliveries(id)).toMatchObject(Array(3).fill(ended));
    expect(await world.storage.webhookDeliveries.nextDueAt()).toBeUndefined();
  });

  test("is not held up by a clock that steps back", async () => {
    const { id } = await add();
    await world.posthorn.drain();
    world.clock.advance(600_000);
    await queue(id);
    await world.posthorn.drain();
    world.http.answerWith(answering(500));
    await queue(id);
    await world.posthorn.drain();
    const before = world.http.posts.length;
    world.clock.step(-600_000);
    world.clock.advance(30_000);
    await queue(id);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(before + 1);
    expect(((await world.storage.webhookDeliveries.nextDueAt()) ?? 0) - world.clock.now()).toBeLessThan(
      7_000,
    );
  });

  test.each(["ahead of", "behind"])(
    "goes by the database's clock: this machine's is %s it",
    async (apart) => {
      const own = await createWorld(await openTestSqlite(), {
        databaseClock: "own",
      });
      const hourOff = apart === "behind" ? -hour : hour;
      own.clock.set(Date.now() + hourOff);
      const { asOwner } = await own.addWorkspace();
      const url = "https://hooks.example.com/";
      const { id: webhookId } = await own.posthorn.webhooks.create(
        { url, events: ["email.queued", "email.sent"] },
        asOwner,
      );
      own.http.answerWith(answering(500));
      await own.posthorn.drain();
      await own.posthorn.emails.send(
        { subject: "Hi", text: "Hello", to: ["ada@example.com"] },
        { workspaceId: asOwner.workspaceId },
      );
      await own.posthorn.webhooks.test({ webhookId }, asOwner);
      await own.posthorn.drain();
      expect(own.http.posts).toHaveLength(3);
      const { items } = await own.posthorn.webhooks.listDeliveries({ webhookId }, asOwner);
      for (const { dueAt } of items) {
        const wait = (dueAt ?? 0) - Date.now();
        expect(wait).toBeGreaterThan(-60_000);
        expect(wait).toBeLessThan(6_000);
      }
      await own.close();
    },
  );

  test("a delivery whose worker died is posted again under the same id", async () => {
    const { id } = await add();
    const deliveryId = await queue(id);
    const now = world.clock.now();
    const due = await world.storage.webhookDeliveries.look({ now, most: 1, limit: 1 });
    const wants = due.map(({ row }) => ({ row, limit: 1 }));
    await world.storage.webhookDeliveries.claim({ wants, now, leaseMs: 1_000 });
    await world.posthorn.drain();
    expect(world.http.posts).toEqual([]);
    world.clock.advance(1_000);
    await world.posthorn.drain();
    expect(world.http.posts.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId]);
    expect(await deliveries(id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });
});
