import { describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { create, eventsOf, url } from "../../test/subscribed-webhook.ts";
import { codesOf, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { createWorld } from "../testing/index.ts";

openWorldForEach({ baseUrl: "https://posthorn.example.com" });

describe("deliveries", () => {
  test("a test is delivered whatever the webhook subscribes to, with the documented body", async () => {
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

  test("a settled one is delivered again; a waiting one is unchanged; a foreign one is not found", async () => {
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
    // The webhook's id is optional: the delivery's id is enough.
    expect(await webhooks.redeliver({ deliveryId }, workspace.asOwner)).toMatchObject({ status: "pending" });
    const told = ["webhook.redelivered", { webhook_id: webhookId, delivery_id: deliveryId }];
    expect((await eventsOf()).filter(([type]) => type === "webhook.redelivered")).toEqual([told, told]);
  });

  test("one that waits for its next attempt is posted at once when it is redelivered", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    world.http.answerWith(() => ({ kind: "response", status: 500, body: "", durationMs: 1 }));
    const { id: deliveryId } = await webhooks.test({ webhookId }, workspace.asOwner);
    await world.posthorn.drain();
    world.http.answerWith(() => ({ kind: "response", status: 200, body: "", durationMs: 1 }));
    expect(await webhooks.redeliver({ deliveryId }, workspace.asOwner)).toMatchObject({ attempts: 0 });
    await world.posthorn.drain();
    const { items } = await webhooks.listDeliveries({ webhookId }, workspace.asOwner);
    expect(items).toMatchObject([{ id: deliveryId, status: "delivered", attempts: 1 }]);
    expect((await eventsOf()).filter(([type]) => type === "webhook.redelivered")).toHaveLength(1);
  });

  test("a redelivery and a test are posted at once, although the endpoint asked for a pause", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    const pause = { kind: "response", status: 503, body: "", retryAfter: 3_600, durationMs: 1 } as const;
    const test = () => webhooks.test({ webhookId }, workspace.asOwner);
    world.http.answerWith(() => pause);
    const { id: deliveryId } = await test();
    await world.posthorn.drain();
    await test();
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(2);
    world.http.answerWith(() => ({ kind: "response", status: 200, body: "", durationMs: 1 }));
    await webhooks.redeliver({ deliveryId }, workspace.asOwner);
    await world.posthorn.drain();
    const { items } = await webhooks.listDeliveries({ webhookId }, workspace.asOwner);
    expect(items.find(({ id }) => id === deliveryId)).toMatchObject({ status: "delivered", attempts: 1 });
  });

  test("a redelivery of one that is due ends the pause that holds it, which the list tells", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    const { id: deliveryId } = await webhooks.test({ webhookId }, workspace.asOwner);
    const pausedUntil = world.clock.now() + 60_000;
    await world.storage.webhooks.noteOutcome(webhookId, { failures: 1, pausedUntil, pace: 0 });
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(0);
    const { items } = await webhooks.listDeliveries({ webhookId }, workspace.asOwner);
    expect(items).toMatchObject([{ id: deliveryId, status: "pending", dueAt: pausedUntil }]);
    await webhooks.redeliver({ deliveryId }, workspace.asOwner);
    await world.posthorn.drain();
    expect(world.http.posts).toHaveLength(1);
  });

  test("of a disabled webhook are refused, as they would fail without an attempt", async () => {
    const { id: webhookId } = await create();
    const { webhooks } = world.posthorn;
    const { id: deliveryId } = await webhooks.test({ webhookId }, workspace.asOwner);
    await world.posthorn.drain();
    await webhooks.update({ webhookId, isActive: false }, workspace.asOwner);
    const refused = [
      webhooks.test({ webhookId }, workspace.asOwner),
      webhooks.redeliver({ deliveryId }, workspace.asOwner),
    ];
    expect(await codesOf(refused)).toEqual(["webhook_disabled", "webhook_disabled"]);
    await expect(refused[0]).rejects.toThrow(/^The webhook https:\/\/[\w.]+\/… is disabled/);
    const { items } = await webhooks.listDeliveries({ webhookId }, workspace.asOwner);
    expect(items).toMatchObject([{ id: deliveryId, status: "delivered", responseStatus: 200 }]);
  });

  test("wake the worker of a started service, long before its next poll", async () => {
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

test("tests and redeliveries are limited per workspace; the operator's redeliveries are not", async () => {
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
