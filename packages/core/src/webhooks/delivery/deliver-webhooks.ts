import { setImmediate } from "node:timers";
import { serviceCaller } from "../../calls/caller.ts";
import { createEvent, createSystemEmail } from "../../calls/outbox.ts";
import type { HttpPostResult } from "../../ports/http-sender.ts";
import type { ClaimedDelivery, DeliveryResult, Repositories, Webhook } from "../../ports/storage.ts";
import { createGrace } from "../../queue/loop/create-grace.ts";
import { createFirstComeLine } from "../../queue/loop/first-come-line.ts";
import { createWorkLoop, type WorkLoop } from "../../queue/loop/work-loop.ts";
import { webhookRetryDelay } from "../../rules/backoff.ts";
import { openSecret, SecretUnreadable } from "../../rules/secret-box.ts";
import type { Runtime } from "../../service/runtime.ts";
import { version } from "../../version.ts";
import { nextPace } from "../rules/endpoint-pace.ts";
import { signatureHeaders } from "../rules/webhook-signature.ts";
import { secretContext } from "../webhook-view.ts";
import { checkAnswer } from "./check-answer.ts";
import { createDeliverySource, longestPauseMs } from "./delivery-source.ts";
import { deliverySlots } from "./plan-deliveries.ts";
import { spareMoved } from "./spare-moved.ts";

/** Number of consecutive failed deliveries after which a webhook is disabled (decisions §10). */
const exhaustedLimit = 30;
/** Ms until a post is tried again that failed because this process lacked file descriptors or memory. */
const exhaustedPauseMs = 5_000;

interface Attempted {
  claimed: ClaimedDelivery;
  /** Absent if no attempt was made, because this process lacked a resource. */
  result: DeliveryResult | undefined;
  /** End of the pause that the endpoint asked for. */
  pausedUntil: number | undefined;
}

/**
 * Creates the work loop that delivers webhook events: signed, at least once, with retries (service.md, Webhook
 * deliveries; decisions §10).
 */
export function createWebhookDelivery(runtime: Runtime): WorkLoop {
  const { storage, config, queueClock } = runtime;
  // The lease is longer than any attempt, and only deliveries that can begin at once are claimed, so leases need no
  // renewal.
  const leaseMs = Math.max(config.worker.leaseMs, Math.ceil(config.webhooks.timeoutSecs * 1000) + 10_000);
  const grace = createGrace({ leaseMs, monotonic: queueClock.monotonic });
  const source = createDeliverySource(runtime, { leaseMs, grace });
  const loop = createWorkLoop<ClaimedDelivery, Attempted>(
    {
      name: "webhooks",
      slots: deliverySlots.all,
      batch: deliverySlots.ofPace[0],
      leaseMs,
      pollMs: config.worker.pollMs,
      line: createFirstComeLine(),
      claim: (_, { waiting, active }) => grace.watch(source.claim([...waiting, ...active])),
      handle: (claimed) => attempt(runtime, claimed),
      ownerOf: ({ delivery }) => delivery.webhookId,
      async settle(attempted) {
        const recorded = await grace.watchWrite(settle(runtime, attempted));
        // The last look knows nothing of a retry that falls due before the next poll.
        const nextPoll = queueClock.now() + config.worker.pollMs;
        if ([...recorded].some((one) => isRetriedBefore(one, nextPoll))) setImmediate(loop.wake);
      },
      release: (items) =>
        storage.webhookDeliveries.release(
          items.map(({ delivery, fence }) => ({ id: delivery.id, fence })),
          queueClock.now(),
        ),
      nextDueAt: source.nextDueAt,
      lookGapMs: source.lookGapMs,
    },
    { clock: queueClock, logger: runtime.logger },
  );
  return loop;
}

async function attempt(runtime: Runtime, claimed: ClaimedDelivery): Promise<Attempted> {
  const { delivery, retryCount, fence } = claimed;
  const { retryBaseSecs } = runtime.config.webhooks;
  const answer = await post(runtime, claimed);
  if (answer.kind === "fault" && answer.fault === "exhausted") {
    // Not about one delivery: without its id, the failures of a minute are one line.
    const err = new Error("this process lacks file descriptors or memory");
    runtime.logger.warn({ err }, "webhook deliveries could not be tried, and are postponed");
    return { claimed, result: undefined, pausedUntil: undefined };
  }
  const settledAt = runtime.queueClock.now();
  const retryAfterSecs = answer.kind === "response" ? answer.retryAfter : undefined;
  // `attempts` includes the current attempt.
  const delay = webhookRetryDelay(delivery.attempts, {
    baseSecs: retryBaseSecs,
    random: runtime.random,
    retryAfterSecs,
  });
  const retries = !isGone(answer) && delivery.attempts <= retryCount;
  const result: DeliveryResult = {
    id: delivery.id,
    fence,
    responseStatus: answer.kind === "response" ? answer.status : undefined,
    responseBody: answer.kind === "response" ? answer.body : "",
    durationMs: answer.durationMs,
    error: succeeded(answer) ? "" : wordsOf(answer),
    next: succeeded(answer)
      ? { status: "delivered", settledAt }
      : retries
        ? { retryAt: settledAt + delay }
        : { status: "failed", settledAt },
  };
  const pauseMs = Math.min((retryAfterSecs ?? 0) * 1000, longestPauseMs);
  return {
    claimed,
    result,
    pausedUntil: !succeeded(answer) && pauseMs > 0 ? settledAt + pauseMs : undefined,
  };
}

/** The target's answer, or why nothing was posted: the secret must be rotated. */
type Answer = HttpPostResult | { kind: "fault"; fault: "secret_unreadable"; durationMs: number };

/**
 * Signs and posts a delivery. An error of this service, such as a secret that can't be decrypted, counts as a failed
 * attempt.
 */
async function post(runtime: Runtime, { delivery, webhook }: ClaimedDelivery): Promise<Answer> {
  const { timeoutSecs, allowPrivate } = runtime.config.webhooks;
  const { monotonic } = runtime.queueClock;
  const [now, begun] = [runtime.now(), monotonic()];
  const measured = (): number => Math.max(0, Math.round(monotonic() - begun));
  try {
    const answer = await runtime.httpSender.post({
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
    return checkAnswer(answer, measured());
  } catch (error) {
    runtime.logger.error({ err: error, deliveryId: delivery.id }, "a webhook delivery could not be posted");
    const fault = error instanceof SecretUnreadable ? "secret_unreadable" : "other";
    return { kind: "fault", fault, durationMs: measured() };
  }
}

const succeeded = (result: Answer): boolean =>
  result.kind === "response" && result.status >= 200 && result.status < 300;
const wordsOf = (result: Answer): string => {
  if (result.kind === "response") return `answered ${result.status}`;
  return "code" in result && result.code !== undefined ? `${result.fault}: ${result.code}` : result.fault;
};
const isGone = (result: Answer): boolean => result.kind === "response" && result.status === 410;

function secretsOf(runtime: Runtime, webhook: Webhook, now: number): string[] {
  const context = secretContext(webhook.id);
  const open = (sealed: string): string =>
    openSecret(runtime.secrets, { sealed, context, name: "the webhook's secret", remedy: "rotate it" });
  const { secret, formerSecret, formerSecretUntil = 0 } = webhook;
  return [secret, ...(formerSecret !== undefined && formerSecretUntil > now ? [formerSecret] : [])].map(open);
}

/** Records the results of attempts, and returns them; releases deliveries that could not be attempted. */
async function settle(runtime: Runtime, handled: Attempted[]): Promise<ReadonlySet<DeliveryResult>> {
  const tried = handled.flatMap((one) => (one.result === undefined ? [] : { ...one, result: one.result }));
  const left = handled.filter(({ result }) => result === undefined).map(({ claimed }) => claimed);
  const { events, recorded } = await runtime.storage.transaction(async (storage) => {
    const now = runtime.queueClock.now();
    const attempted = await spareMoved(storage, tried, now);
    const leases = left.map(({ delivery, fence }) => ({ id: delivery.id, fence }));
    await storage.webhookDeliveries.release(leases, now, now + exhaustedPauseMs);
    const results = attempted.map(({ result }) => result);
    const recorded = new Set(await storage.webhookDeliveries.settle(results, now));
    const kept = attempted.filter(({ result }) => recorded.has(result));
    const webhooks = new Map(kept.map(({ claimed: { webhook } }) => [webhook.id, webhook]));
    const disabled = [];
    // All that changes an endpoint's row happens in the order of their ids, so that two workers never deadlock.
    for (const [id, webhook] of [...webhooks].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const own = kept.filter(({ claimed }) => claimed.webhook.id === id);
      const isWorking = own.every(({ result }) => isDelivered(result));
      const standing = isWorking ? webhook : await storage.webhooks.lock(webhook.workspaceId, id);
      // What a former URL answered tells nothing of the present one.
      if (standing?.url !== webhook.url) continue;
      await noteOutcome(storage, webhook, own);
      // Most endpoints have nothing to count. A success beside failures resets what these have just counted.
      if (webhook.exhaustedInARow === 0 && !own.some(({ result }) => isExhausted(result))) continue;
      const reason = await reasonToDisable(storage, standing, own);
      if (reason !== undefined) disabled.push(await disable(runtime, storage, standing, reason));
    }
    if (disabled.length > 0) await storage.events.append(disabled);
    return { events: disabled, recorded };
  });
  for (const result of recorded) runtime.counters.webhooks[outcomeOf(result)] += 1;
  if (events.length > 0) {
    runtime.tell(events);
    await runtime.storage.notify(["events", "emails"]);
  }
  return recorded;
}

/**
 * Records whether an endpoint works and how prompt it is, for the next claims. Of several attempts at it, a single
 * success suffices to work, and a single slow one to be slow.
 */
async function noteOutcome(
  storage: Repositories,
  { id, failuresInARow, pace: formerPace }: Webhook,
  own: (Attempted & { result: DeliveryResult })[],
): Promise<void> {
  const failed = own.filter(({ result }) => !isDelivered(result));
  const pauses = own.flatMap(({ pausedUntil }) => pausedUntil ?? []);
  const pace = nextPace(formerPace, Math.max(...own.map(({ result }) => result.durationMs)));
  if (failed.length === own.length || pauses.length > 0) {
    const pausedUntil = pauses.length === 0 ? undefined : Math.max(...pauses);
    const error = failed.at(-1)?.result.error ?? "";
    await storage.webhooks.noteOutcome(id, { failures: failed.length, error, pausedUntil, pace });
  } else if (failuresInARow > 0 || formerPace !== pace)
    await storage.webhooks.noteOutcome(id, { failures: 0, pausedUntil: undefined, pace });
}

const isDelivered = ({ next }: DeliveryResult): boolean => "status" in next && next.status === "delivered";

const isExhausted = ({ next }: DeliveryResult): boolean => "status" in next && next.status === "failed";

const isRetriedBefore = ({ next }: DeliveryResult, time: number): boolean =>
  "retryAt" in next && next.retryAt < time;

const outcomeOf = ({ next }: DeliveryResult): "delivered" | "retried" | "failed" =>
  "status" in next ? next.status : "retried";

/** Counts ended deliveries, and returns the first reason to disable their webhook. */
async function reasonToDisable(
  { webhooks }: Repositories,
  { id, isActive }: Webhook,
  own: readonly { result: DeliveryResult }[],
): Promise<string | undefined> {
  for (const { result } of own) {
    if (!("status" in result.next)) continue;
    const count = await webhooks.countExhausted(id, isExhausted(result));
    if (!isActive) continue;
    if (result.responseStatus === 410) return "the endpoint answered 410 Gone";
    if (count >= exhaustedLimit) return `${count} deliveries in a row failed at every attempt`;
  }
  return undefined;
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
    { caller: serviceCaller, workspaceId: webhook.workspaceId, clientIp: "", now },
  );
}
