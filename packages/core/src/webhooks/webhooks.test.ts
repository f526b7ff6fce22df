import { describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { create, eventsOf, url } from "../../test/subscribed-webhook.ts";
import { codesOf, hour, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { webhookEventTypes } from "../events.ts";
import { createWorld } from "../testing/index.ts";
import { verifyWebhook } from "./rules/webhook-signature.ts";

openWorldForEach({ baseUrl: "https://posthorn.example.com" });

/** The URL as events have it. */
const shownUrl = "https://hooks.example.com/…";
const missing = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

describe("creating a webhook", () => {
  test("returns the secret once, stores it encrypted, and records one event without it", async () => {
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
      ["webhook.created", { webhook_id: made.id, url: shownUrl, events: made.events, filters: made.filters }],
    ]);
  });

  test("accepts every type of decisions §10, and no other", async () => {
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
        "email.opened",
        "email.clicked",
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
    await expect(create({ events: ["email.delivered"] })).rejects.toThrow(
      `events.0: is not an event type; there are: ${["*", ...webhookEventTypes].join(", ")}`,
    );
    for (const events of [[], ["email.read"], ["member.removed"], ["**"]]) {
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

  test("accepts plain HTTP and private targets if configured", async () => {
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

  test("is limited to twenty a workspace, also when many are created at once", async () => {
    const codes = await codesOf(Array.from({ length: 25 }, () => create()));
    expect(codes.filter((code) => code === "ok")).toHaveLength(20);
    expect(codes.filter((code) => code === "plan_limit_reached")).toHaveLength(5);
  });
});

test("managers write; everyone reads, but only managers see an endpoint's response", async () => {
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

test("another workspace's webhook is not found", async () => {
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
  test("changes the given fields, with one event that lists the actual changes", async () => {
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

  test("a new address has none of the former one's failures; other changes leave them", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    const find = () => world.storage.webhooks.find(workspace.id, webhookId);
    const pausedUntil = world.clock.now() + 1_000;
    await world.storage.webhooks.noteOutcome(webhookId, { failures: 3, pausedUntil, pace: 2 });
    await webhooks.update({ webhookId, filters: ["hooks@example.com"] }, workspace.asOwner);
    expect(await find()).toMatchObject({
      filters: ["hooks@example.com"],
      failuresInARow: 3,
      pace: 2,
      pausedUntil,
    });
    await webhooks.update({ webhookId, url: `${url}new` }, workspace.asOwner);
    expect((await eventsOf())[0]?.[1]).toMatchObject({ changes: { url: { from: shownUrl, to: shownUrl } } });
    expect(await find()).toMatchObject({
      url: `${url}new`,
      failuresInARow: 0,
      pace: 1,
      pausedUntil: undefined,
    });
  });

  test("enabling it resets the failures that disabled it", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    for (let count = 0; count < 29; count++) await world.storage.webhooks.countExhausted(webhookId, true);
    await webhooks.update({ webhookId, isActive: false }, workspace.asOwner);
    await webhooks.update({ webhookId, isActive: true }, workspace.asOwner);
    expect(await world.storage.webhooks.find(workspace.id, webhookId)).toMatchObject({ exhaustedInARow: 0 });
  });
});

test("deleting a webhook deletes it once, with one event", async () => {
  const { id: webhookId } = await create();
  const { webhooks } = world.posthorn;
  await webhooks.delete({ webhookId }, workspace.asOwner);
  expect(await codesOf([webhooks.delete({ webhookId }, workspace.asOwner)])).toEqual(["not_found"]);
  expect((await eventsOf())[0]).toEqual(["webhook.deleted", { webhook_id: webhookId, url: shownUrl }]);
});

describe("rotating the secret", () => {
  test("returns a new one; deliveries have both signatures for 24 hours, then only the new one's", async () => {
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
