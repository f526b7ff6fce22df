import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import type { HttpPostResult } from "../src/ports/http-sender.ts";
import { openDatabaseForEach, workspace, world } from "./world-for-each.ts";

export const add = (host = "hooks.example.com") =>
  world.posthorn.webhooks.create({ url: `https://${host}/`, events: ["email.sent"] }, workspace.asOwner);

/** Queues a delivery of `webhook.test`; returns its id. */
export async function queue(webhookId: string): Promise<string> {
  const [id, now, event] = [randomUUID(), world.clock.now(), "webhook.test"];
  const payload = JSON.stringify({ event, webhook_id: webhookId, timestamp: new Date(now).toISOString() });
  await world.storage.webhookDeliveries.insert([
    { id, webhookId, workspaceId: workspace.id, event, payload, createdAt: now, dueAt: now },
  ]);
  return id;
}

export const deliveries = async (webhookId: string) =>
  (await world.posthorn.webhooks.listDeliveries({ webhookId, size: 100 }, workspace.asOwner)).items;

export const answering = (status: number, retryAfter?: number) => (): HttpPostResult => ({
  kind: "response",
  status,
  body: "hello",
  durationMs: 3,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** Advances the clock to the next due delivery and handles it. Returns the elapsed ms. */
export async function drainNext(): Promise<number> {
  const before = world.clock.now();
  world.clock.set((await world.storage.webhookDeliveries.nextDueAt()) ?? before);
  await world.posthorn.drain();
  return world.clock.now() - before;
}

/** Opens a world at the machine's time before each test of a file, and closes it after. */
export function openWebhookWorldForEach(): void {
  openDatabaseForEach();
  // `standardwebhooks` checks timestamps by the machine's clock.
  beforeEach(() => world.clock.step(Date.now() - world.clock.now()));
}
