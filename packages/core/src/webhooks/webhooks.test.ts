import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { webhookEventTypes } from "../events.ts";
import { createWorld, type TestWorkspace, type World } from "../testing/index.ts";
import { verifyWebhook } from "./rules/webhook-signature.ts";

const hour = 60 * 60 * 1000;
const url = "https://hooks.example.com/posthorn";
const missing = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite(), {
    baseUrl: "https://posthorn.example.com",
  });
  workspace = await world.addWorkspace();
});
afterEach(() => world.close());

async function codesOf(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code));
}

type CreateInput = { url?: string; events?: string[]; filters?: string[] };
const create = (input: CreateInput = {}, as = workspace.asOwner) =>
  world.posthorn.webhooks.create({ url, events: ["email.sent"], ...input }, as);

const eventsOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items
    .filter(({ type }) => type.startsWith("webhook."))
    .map(({ type, metadata }) => [type, JSON.parse(metadata)]);

describe("creating a webhook", () => {
  test("shows the secret once, keeps it sealed, and leaves one event without it", async () => {
    const { secret, ...made } = await create({
      events: ["email.sent", "*", "email.sent"],
      filters: ["News@Example.org", "@Example.com", "example.net"],
    });
    expect(made).toEqual({
      id: expect.any(String),
      url,
      events: ["email.sent", "*"],
      filters: ["news@example.org", "example.com", "example.net"],
      isActive: true,
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { webhooks } = world.posthorn;
    expect((await webhooks.list({}, workspace.asOwner)).items).toEqual([made]);
    expect(await webhooks.get({ webhookId: made.id }, workspace.asOwner)).toEqual(made);
    const stored = JSON.stringify(await world.storage.webhooks.find(workspace.id, made.id));
    expect(stored).not.toContain(secret.slice(6));
    expect(await eventsOf()).toEqual([
      ["webhook.created", { webhook_id: made.id, url, events: made.events, filters: made.filters }],
    ]);
  });

  test("takes every type of decisions §10, and no other", async () => {
    await create({ events: [...webhookEventTypes] });
    expect([...webhookEventTypes].sort()).toEqual(
      [
        "email.queued",
        "email.sent",
        "email.delivery_delayed",
        "email.failed",
        "email.bounced",
        "email.complained",
        "email.suppressed",
        "email.cancelled",
        "email.unsubscribed",
        "suppression.created",
        "smtp_server.down",
        "smtp_server.recovered",
        "domain.verified",
        "domain.warning",
        "domain.failed",
        "campaign.started",
        "campaign.completed",
        "webhook.test",
      ].sort(),
    );
    for (const events of [[], ["email.opened"], ["member.removed"], ["**"]]) {
      await expect(create({ events })).rejects.toMatchObject({ code: "validation_failed" });
    }
  });

  test.each([
    "http://hooks.example.com/",
    "https://127.0.0.1/",
    "https://[::ffff:7f00:1]/",
    "https://2130706433/",
    "https://localhost./",
    "https://169.254.169.254/latest/meta-data",
    "https://user:secret@hooks.example.com/",
    "https://hooks.example.com:25/",
    "https://posthorn.example.com/api/v1/emails/send",
    "ftp://hooks.example.com/",
    "hooks.example.com",
    "",
  ])("refuses the target %j", async (target) => {
    await expect(create({ url: target })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "url" }],
    });
  });

  test("takes plain HTTP and private targets where that is configured", async () => {
    const open = await createWorld(await openTestSqlite(), {
      webhooks: { allowPrivate: true },
    });
    const { asOwner } = await open.addWorkspace();
    const made = await open.posthorn.webhooks.create(
      { url: "http://127.0.0.1:9000/", events: ["*"] },
      asOwner,
    );
    expect(made.url).toBe("http://127.0.0.1:9000/");
    await open.close();
  });

  test.each(["not a domain", "a@", "@", "localhost", "a@b@c.example"])(
    "refuses the filter %j",
    async (filter) => {
      await expect(create({ filters: [filter] })).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ path: "filters.0" }],
      });
    },
  );

  test("stops at twenty a workspace, also when many come at once", async () => {
    const codes = await codesOf(Array.from({ length: 25 }, () => create()));
    expect(codes.filter((code) => code === "ok")).toHaveLength(20);
    expect(codes.filter((code) => code === "plan_limit_reached")).toHaveLength(5);
  });
});

test("managers write; everyone reads, but only managers see what an endpoint answered", async () => {
  const { webhooks } = world.posthorn;
  const { id: webhookId } = await create();
  await webhooks.test({ webhookId }, workspace.asOwner);
  world.http.answerWith(() => ({ kind: "response", status: 200, body: "inner secrets", durationMs: 3 }));
  await world.posthorn.drain();
  for (const role of ["editor", "viewer"] as const) {
    const as = workspace.as(await workspace.addMember(role));
    const codes = await codesOf([
      create({}, as),
      webhooks.update({ webhookId, isActive: false }, as),
      webhooks.delete({ webhookId }, as),
      webhooks.rotateSecret({ webhookId }, as),
      webhooks.test({ webhookId }, as),
      webhooks.redeliver({ webhookId, deliveryId: missing }, as),
      webhooks.get({ webhookId }, as),
    ]);
    expect(codes).toEqual([...Array.from({ length: 6 }, () => "forbidden"), "ok"]);
    expect((await webhooks.listDeliveries({ webhookId }, as)).items[0]).toMatchObject({
      responseStatus: 200,
      responseBody: undefined,
    });
  }
  const asAdmin = workspace.as(await workspace.addMember("admin"));
  expect((await webhooks.listDeliveries({ webhookId }, asAdmin)).items[0]?.responseBody).toBe(
    "inner secrets",
  );
});

test("another workspace's webhook is none of mine", async () => {
  const { id: webhookId } = await create();
  const { asOwner } = await world.addWorkspace();
  const { webhooks } = world.posthorn;
  const codes = await codesOf([
    webhooks.get({ webhookId }, asOwner),
    webhooks.update({ webhookId, isActive: false }, asOwner),
    webhooks.delete({ webhookId }, asOwner),
    webhooks.rotateSecret({ webhookId }, asOwner),
    webhooks.test({ webhookId }, asOwner),
    webhooks.listDeliveries({ webhookId }, asOwner),
    webhooks.get({ webhookId: missing }, workspace.asOwner),
  ]);
  expect(new Set(codes)).toEqual(new Set(["not_found"]));
});

describe("updating a webhook", () => {
  test("changes the given fields, with one event of what really changed", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    world.clock.advance(1000);
    const updated = await webhooks.update(
      { webhookId, events: ["*"], filters: [], isActive: false },
      workspace.asOwner,
    );
    expect(updated).toMatchObject({ url, events: ["*"], isActive: false, updatedAt: world.clock.now() });
    await webhooks.update({ webhookId, events: ["*"] }, workspace.asOwner);
    expect((await eventsOf()).filter(([type]) => type === "webhook.updated")).toEqual([
      [
        "webhook.updated",
        {
          webhook_id: webhookId,
          changes: { events: { from: ["email.sent"], to: ["*"] }, is_active: { from: true, to: false } },
        },
      ],
    ]);
    const codes = await codesOf([
      webhooks.update({ webhookId }, workspace.asOwner),
      webhooks.update({ webhookId, url: "https://10.0.0.1/" }, workspace.asOwner),
      webhooks.update({ webhookId, events: [] }, workspace.asOwner),
    ]);
    expect(codes).toEqual(["validation_failed", "validation_failed", "validation_failed"]);
  });

  test("enabled again, it forgets the failures that disabled it", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    for (let count = 0; count < 29; count++) await world.storage.webhooks.countExhausted(webhookId, true);
    await webhooks.update({ webhookId, isActive: false }, workspace.asOwner);
    await webhooks.update({ webhookId, isActive: true }, workspace.asOwner);
    expect(await world.storage.webhooks.find(workspace.id, webhookId)).toMatchObject({ exhaustedInARow: 0 });
  });
});

test("deleting a webhook ends it once, with one event", async () => {
  const { id: webhookId } = await create();
  const { webhooks } = world.posthorn;
  await webhooks.delete({ webhookId }, workspace.asOwner);
  expect(await codesOf([webhooks.delete({ webhookId }, workspace.asOwner)])).toEqual(["not_found"]);
  expect((await eventsOf())[0]).toEqual(["webhook.deleted", { webhook_id: webhookId, url }]);
});

describe("rotating the secret", () => {
  test("answers a new one; deliveries carry both signatures for 24 hours, then the new one's alone", async () => {
    const { id: webhookId, secret: former } = await create();
    const { webhooks } = world.posthorn;
    const { secret, ...rest } = await webhooks.rotateSecret({ webhookId }, workspace.asOwner);
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(former);
    expect(rest).toMatchObject({ id: webhookId, url });
    expect((await eventsOf())[0]).toEqual(["webhook.secret_rotated", { webhook_id: webhookId }]);
    const signedBy = async () => {
      await webhooks.test({ webhookId }, workspace.asOwner);
      await world.posthorn.drain();
      const post = world.http.posts.at(-1);
      if (post === undefined) throw new Error("nothing was posted");
      const verify = (key: string) =>
        verifyWebhook({ secret: key, headers: post.headers, body: post.body, now: world.clock.now() });
      return { former: verify(former), secret: verify(secret) };
    };
    expect(await signedBy()).toEqual({ former: true, secret: true });
    world.clock.advance(24 * hour);
    expect(await signedBy()).toEqual({ former: false, secret: true });
  });
});

describe("deliveries", () => {
  test("a test is delivered whatever the webhook listens to, with the documented body", async () => {
    const { id: webhookId } = await create({ events: ["email.failed"] });
    const { webhooks } = world.posthorn;
    const delivery = await webhooks.test({ webhookId }, workspace.asOwner);
    expect(delivery).toMatchObject({ event: "webhook.test", status: "pending", attempts: 0 });
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(1);
    expect(JSON.parse(String(world.http.posts[0]?.body))).toEqual({
      event: "webhook.test",
      webhook_id: webhookId,
      timestamp: "2030-01-01T12:00:00.000Z",
    });
    const { items, ...page } = await webhooks.listDeliveries({ webhookId }, workspace.asOwner);
    expect(page).toEqual({ total: 1, page: 0, size: 20 });
    expect(items).toMatchObject([{ id: delivery.id, status: "delivered", attempts: 1, responseStatus: 200 }]);
    expect((await eventsOf()).map(([type]) => type)).toEqual(["webhook.tested", "webhook.created"]);
  });

  test("a settled one is delivered again; one that waits is left alone; a foreign one is not found", async () => {
    const { id: webhookId } = await create();
    const { id: otherId } = await create();
    const { webhooks } = world.posthorn;
    const { id: deliveryId } = await webhooks.test({ webhookId }, workspace.asOwner);
    const again = (id = webhookId) => webhooks.redeliver({ webhookId: id, deliveryId }, workspace.asOwner);
    expect(await again()).toMatchObject({ id: deliveryId, status: "pending" });
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(1);
    expect(await again()).toMatchObject({ id: deliveryId, status: "pending", attempts: 0 });
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(2);
    expect(world.http.posts[1]?.body).toEqual(world.http.posts[0]?.body);
    expect(world.http.posts[1]?.headers["webhook-id"]).toBe(world.http.posts[0]?.headers["webhook-id"]);
    expect(await codesOf([again(otherId)])).toEqual(["not_found"]);
    // Whoever knows the delivery alone needs no webhook's id.
    expect(await webhooks.redeliver({ deliveryId }, workspace.asOwner)).toMatchObject({ status: "pending" });
    const told = ["webhook.redelivered", { webhook_id: webhookId, delivery_id: deliveryId }];
    expect((await eventsOf()).filter(([type]) => type === "webhook.redelivered")).toEqual([told, told]);
  });

  test("wake the worker of a started service, long before it would look by itself", async () => {
    const patient = await createWorld(await openTestSqlite(), {
      worker: { pollMs: 600_000 },
    });
    const { asOwner } = await patient.addWorkspace();
    const { id: webhookId } = await patient.posthorn.webhooks.create({ url, events: ["*"] }, asOwner);
    const posted = new Promise<string>((resolve) => {
      patient.http.answerWith(({ body }) => {
        resolve(String(body));
        return { kind: "response", status: 204, body: "", durationMs: 1 };
      });
    });
    patient.posthorn.start();
    await patient.posthorn.webhooks.test({ webhookId }, asOwner);
    expect(await posted).toContain(webhookId);
    await patient.posthorn.stop();
    await patient.close();
  });
});

test("tests and redeliveries are bounded by workspace; the operator's redeliveries are not", async () => {
  const { id: webhookId } = await world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["*"] },
    workspace.asOwner,
  );
  const { id: deliveryId } = await world.posthorn.webhooks.test({ webhookId }, workspace.asOwner);
  const now = world.clock.now();
  for (const kind of ["webhook-tests", "redeliveries"])
    for (let n = 0; n < 60; n++)
      await world.storage.guards.reserve(`${kind}:workspace:${workspace.id}`, 600, 600_000, now);
  await expect(world.posthorn.webhooks.test({ webhookId }, workspace.asOwner)).rejects.toMatchObject({
    code: "rate_limited",
  });
  for (let n = 0; n < 540; n++)
    await world.storage.guards.reserve(`redeliveries:workspace:${workspace.id}`, 600, 600_000, now);
  const redeliver = (options: Parameters<typeof world.posthorn.webhooks.redeliver>[1]) =>
    world.posthorn.webhooks.redeliver({ webhookId, deliveryId }, options);
  await expect(redeliver(workspace.asOwner)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(redeliver({ workspaceId: workspace.id })).resolves.toMatchObject({ id: deliveryId });
});
