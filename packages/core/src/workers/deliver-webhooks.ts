import { webhookRetryDelay } from "../domain/backoff.ts";
import { signatureHeaders } from "../domain/webhook-signature.ts";
import { createEvent, createSystemEmail } from "../outbox.ts";
import type { HttpPostResult } from "../ports/http-sender.ts";
import type { ClaimedDelivery, DeliveryResult, Webhook } from "../ports/storage/webhooks.ts";
import type { Repositories } from "../ports/storage.ts";
import type { Runtime } from "../runtime.ts";
import { version } from "../version.ts";
import { createPump, type Pump } from "./pump.ts";

/** Deliveries under way at once, of all endpoints and of one: a slow endpoint holds up no other. */
const slots = 25;
const perWebhook = 2;
/** Deliveries exhausted in a row after which a webhook is disabled (decisions §10). */
const exhaustedLimit = 30;

interface Attempted {
  claimed: ClaimedDelivery;
  result: DeliveryResult;
}

/** Delivers webhook events, signed, at least once, with retries (service.md, Webhook deliveries; decisions §10). */
export function createWebhookDelivery(runtime: Runtime): Pump {
  const { storage, config } = runtime;
  // Longer than any attempt may take, and only what can begin at once is claimed: nothing is renewed.
  const leaseMs = Math.max(config.worker.leaseMs, config.webhooks.timeoutSecs * 1000 + 10_000);
  return createPump<ClaimedDelivery, Attempted>(
    {
      name: "webhooks",
      slots,
      batch: slots,
      leaseMs,
      pollMs: config.worker.pollMs,
      claim: (limit, inHand) =>
        storage.webhookDeliveries.claimDue({
          limit: Math.min(limit, slots - inHand.length),
          perWebhook,
          busy: inHand.map(({ webhook }) => webhook.id),
          now: runtime.now(),
          leaseMs,
        }),
      handle: async (claimed) => ({ claimed, result: await attempt(runtime, claimed) }),
      settle: (attempted) => settle(runtime, attempted),
      release: (items) =>
        storage.webhookDeliveries.release(
          items.map(({ delivery, fence }) => ({ id: delivery.id, fence })),
          runtime.now(),
        ),
      nextDueAt: () => storage.webhookDeliveries.nextDueAt(),
    },
    runtime,
  );
}

async function attempt(runtime: Runtime, claimed: ClaimedDelivery): Promise<DeliveryResult> {
  const { delivery, retryCount, fence } = claimed;
  const { retryBaseSecs } = runtime.config.webhooks;
  const result = await post(runtime, claimed);
  const settledAt = runtime.now();
  // `attempts` counts this one too.
  const delay = webhookRetryDelay(delivery.attempts, {
    baseSecs: retryBaseSecs,
    random: runtime.random,
    ...(result.kind === "response" && result.retryAfter !== undefined
      ? { retryAfterSecs: result.retryAfter }
      : {}),
  });
  const retries = !isGone(result) && delivery.attempts <= retryCount;
  return {
    id: delivery.id,
    fence,
    responseStatus: result.kind === "response" ? result.status : undefined,
    responseBody: result.kind === "response" ? result.body : "",
    durationMs: result.durationMs,
    error: succeeded(result) ? "" : result.kind === "response" ? `answered ${result.status}` : result.fault,
    next: succeeded(result)
      ? { status: "delivered", settledAt }
      : retries
        ? { retryAt: settledAt + delay }
        : { status: "failed", settledAt },
  };
}

/** Signs and posts a delivery. A fault of ours, such as a secret that can't be opened, is one more way to fail. */
async function post(runtime: Runtime, { delivery, webhook }: ClaimedDelivery): Promise<HttpPostResult> {
  const { timeoutSecs, allowPrivate } = runtime.config.webhooks;
  const now = runtime.now();
  try {
    return await runtime.httpSender.post({
      url: webhook.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Posthorn/${version}`,
        "X-Service-Event": delivery.event,
        ...signatureHeaders({
          secrets: secretsOf(runtime, webhook, now),
          id: delivery.id,
          timestamp: now,
          body: delivery.payload,
        }),
      },
      body: delivery.payload,
      timeoutMs: timeoutSecs * 1000,
      allowPrivate,
    });
  } catch (error) {
    runtime.logger.error({ err: error, deliveryId: delivery.id }, "a webhook delivery could not be posted");
    return { kind: "fault", fault: "other", durationMs: Math.max(0, runtime.now() - now) };
  }
}

const succeeded = (result: HttpPostResult): boolean =>
  result.kind === "response" && result.status >= 200 && result.status < 300;
const isGone = (result: HttpPostResult): boolean => result.kind === "response" && result.status === 410;

function secretsOf(runtime: Runtime, webhook: Webhook, now: number): string[] {
  const context = `webhooks:secret:${webhook.id}`;
  const secrets = [runtime.secrets.open(webhook.secret, context)];
  if (webhook.formerSecret !== undefined && (webhook.formerSecretUntil ?? 0) > now) {
    secrets.push(runtime.secrets.open(webhook.formerSecret, context));
  }
  return secrets;
}

async function settle(runtime: Runtime, attempted: Attempted[]): Promise<void> {
  const { events, recorded } = await runtime.storage.transaction(async (storage) => {
    const recorded = new Set(await storage.webhookDeliveries.settle(attempted.map(({ result }) => result)));
    const disabled = [];
    for (const { claimed, result } of attempted) {
      if (!recorded.has(result.id) || !("status" in result.next)) continue;
      const reason = await reasonToDisable(storage, claimed.webhook, result);
      if (reason !== undefined) disabled.push(await disable(runtime, storage, claimed.webhook, reason));
    }
    if (disabled.length > 0) await storage.events.append(disabled);
    return { events: disabled, recorded };
  });
  for (const { result } of attempted)
    if (recorded.has(result.id)) runtime.counters.webhooks[outcomeOf(result)] += 1;
  if (events.length === 0) return;
  runtime.tell(events);
  await runtime.storage.notify(["events", "emails"]);
}

const outcomeOf = ({ next }: DeliveryResult): "delivered" | "retried" | "failed" =>
  "status" in next ? next.status : "retried";

async function reasonToDisable(
  storage: Repositories,
  webhook: Webhook,
  result: DeliveryResult,
): Promise<string | undefined> {
  if (!("status" in result.next)) return undefined;
  const exhausted = result.next.status === "failed";
  if (!exhausted && webhook.exhaustedInARow === 0) return undefined;
  const count = await storage.webhooks.countExhausted(webhook.id, exhausted);
  const now = await storage.webhooks.find(webhook.workspaceId, webhook.id);
  if (now?.isActive !== true) return undefined;
  if (result.responseStatus === 410) return "the endpoint answered 410 Gone";
  return count >= exhaustedLimit ? `${count} deliveries in a row failed at every attempt` : undefined;
}

async function disable(runtime: Runtime, storage: Repositories, webhook: Webhook, reason: string) {
  const now = runtime.now();
  await storage.webhooks.update(webhook.workspaceId, webhook.id, { isActive: false, updatedAt: now });
  const owner = await storage.members.findOwner(webhook.workspaceId);
  const workspace = await storage.workspaces.find(webhook.workspaceId);
  if (owner !== undefined) {
    const mail = await createSystemEmail(runtime, storage, {
      kind: "webhook_disabled",
      to: { name: owner.name, address: owner.email },
      data: { name: owner.name, workspace: workspace?.name ?? "", url: webhook.url, reason },
    });
    await storage.emails.insert([mail]);
  }
  return createEvent(
    "webhook.disabled",
    { metadata: { webhook_id: webhook.id, reason } },
    { caller: { kind: "operator", name: "Posthorn" }, workspaceId: webhook.workspaceId, clientIp: "", now },
  );
}
