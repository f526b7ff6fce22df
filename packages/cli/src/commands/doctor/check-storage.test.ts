import { createWorld } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { operatorCall } from "../../program/connection/operator-call.ts";
import { checkApiKeys, checkQueue, checkWebhooks } from "./check-storage.ts";

const day = 86_400_000;

test("the doctor names the API key that expires next, within 14 days", async () => {
  const world = await createWorld(await openTestSqlite());
  const { id: workspaceId } = await world.addWorkspace();
  const add = (name: string, expiresAt: number | undefined) =>
    world.storage.apiKeys.insert({
      id: name,
      workspaceId,
      name,
      prefix: "sk_1234",
      digest: name,
      createdBy: undefined,
      createdAt: 0,
      expiresAt,
    });
  const now = world.clock.now();
  await add("ended", now - 1);
  await add("later", now + 15 * day);
  await add("never", undefined);
  expect(await checkApiKeys(world.storage)).toMatchObject({ state: "ok" });
  await add("second", now + 13 * day);
  expect((await checkApiKeys(world.storage)).found).toMatch(
    /^1 expires within 14 days; the first is second /,
  );
  await add("first", now + 12 * day);
  const { state, found, advice } = await checkApiKeys(world.storage);
  expect(state).toBe("warning");
  expect(found).toContain(
    `2 expire within 14 days; the first is first (sk_1234…) of workspace ${workspaceId}`,
  );
  expect(advice).toContain(`posthorn api-keys create NAME --workspace ${workspaceId}`);
  await world.close();
});

test("the doctor warns of webhook deliveries that wait for long, and not of those to endpoints that fail", async () => {
  const world = await createWorld(await openTestSqlite());
  const { id: workspaceId } = await world.addWorkspace();
  const { webhooks, webhookDeliveries } = world.storage;
  const now = await world.storage.now();
  const common = {
    workspaceId,
    url: "https://a.example/",
    events: ["*"],
    filters: [],
    secret: "",
    createdAt: now,
  };
  const { id: webhookId } = await webhooks.insert({ ...common, id: "a", isActive: true });
  const delivery = { workspaceId, webhookId, event: "email.sent", payload: "{}", createdAt: now };
  await webhookDeliveries.insert([{ ...delivery, id: "1", dueAt: now - 300_000 }]);
  expect(await checkWebhooks(world.storage)).toMatchObject({
    state: "warning",
    found: "1 delivery waits; the oldest to an endpoint that works has waited for 5 min",
  });
  await webhooks.noteOutcome(webhookId, { failures: 1, error: "timeout", pausedUntil: undefined, pace: 2 });
  expect(await checkWebhooks(world.storage)).toMatchObject({ state: "ok", found: "1 delivery waits" });
  await world.close();
});

test("the doctor reports that a restored copy's e-mails are held, since when, and what to run", async () => {
  const world = await createWorld(await openTestSqlite());
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { from: "a@shop.example", to: ["ada@example.com"], subject: "S", text: "T" };
  await world.posthorn.queue.checkRestored({}, operatorCall());
  expect(await checkQueue(world.storage)).toMatchObject({
    found: expect.stringMatching(/: paused, as this is a copy of [^,]*$/),
    advice: "Begin delivery: posthorn queue resume",
  });
  await world.posthorn.emails.send(mail, { workspaceId });
  const { state, found, advice } = await checkQueue(world.storage);
  expect(state).toBe("warning");
  expect(found).toMatch(/^1 due, 0 later, 0 in progress: paused, as this is a copy of \d{4}-/);
  expect(advice).toContain("--drop-due-before");
  await world.posthorn.queue.resume({}, operatorCall());
  expect(await checkQueue(world.storage)).toMatchObject({ state: "ok" });
  await world.close();
});
