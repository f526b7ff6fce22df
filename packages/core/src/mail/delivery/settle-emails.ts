import { createEvent, type NewEvent } from "../../calls/outbox.ts";
import type { EventType } from "../../events.ts";
import type { AttemptResult, ClaimedEmail } from "../../ports/storage/email-queue.ts";
import type { Topic } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { bounceClass, type EmailEventData } from "../../webhooks/rules/email-event-payload.ts";
import { type EmailEvent, senderOf, tellWebhooks } from "../../webhooks/tell-webhooks.ts";
import type { Attempted } from "./attempt-email.ts";

const service = { caller: { kind: "operator", name: "Posthorn" }, clientIp: "" } as const;

interface Tried {
  claimed: ClaimedEmail;
  result: AttemptResult;
}

/**
 * Records attempts, their events and the webhook deliveries they cause, in one transaction; what was held goes back, and its route
 * waits. A stale worker's change nothing.
 */
export async function settleEmails(runtime: Runtime, attempted: Attempted[]): Promise<void> {
  const tried = attempted.flatMap((one) => ("result" in one ? one : []));
  const held = attempted.flatMap((one) => ("hold" in one ? one : []));
  if (held.length > 0) await putBack(runtime, held);
  if (tried.length > 0) await settleTried(runtime, tried);
}

async function putBack(
  { storage, queueClock, logger }: Runtime,
  held: Extract<Attempted, { hold: unknown }>[],
): Promise<void> {
  const now = queueClock.now();
  const holds = new Map(held.map(({ claimed, hold }) => [claimed.route, hold]));
  await storage.transaction(async ({ emailQueue }) => {
    for (const [route, { retryAfterMs, cause, reason }] of [...holds].sort(([a], [b]) => (a < b ? -1 : 1)))
      await emailQueue.park({ route, until: now + retryAfterMs, reason: `${cause}: ${reason}` }, now);
    await emailQueue.release(held.map(({ claimed }) => claimed.lease));
  });
  for (const [route, { cause, reason, retryAfterMs }] of holds)
    logger.warn(
      { route, cause, reason, retryAfterMs },
      "a mail server takes nothing for now: its route waits",
    );
}

async function settleTried(runtime: Runtime, attempted: Tried[]): Promise<void> {
  const { events, topics, recorded } = await runtime.storage.transaction(async (storage) => {
    const results = attempted.map(({ result }) => result);
    const recorded = new Set(await storage.emailQueue.settle(results, runtime.queueClock.now()));
    const happened = attempted.filter(({ result }) => recorded.has(result.emailId)).flatMap(happeningsOf);
    const events: NewEvent[] = happened.map(({ type, metadata, emailEvent }) =>
      createEvent(
        type,
        { metadata: { email_id: emailEvent.emailId, ...metadata } },
        {
          ...service,
          workspaceId: emailEvent.workspaceId,
          now: emailEvent.at,
        },
      ),
    );
    if (events.length > 0) await storage.events.append(events);
    const told = await tellWebhooks(
      runtime,
      storage,
      happened.flatMap(({ emailEvent }) => (isOfWorkspace(emailEvent) ? [emailEvent] : [])),
    );
    const topics: Topic[] = told > 0 ? ["events", "webhooks"] : ["events"];
    return { events, topics, recorded };
  });
  for (const { result } of attempted) {
    const { outcome } = result.attempt;
    if (recorded.has(result.emailId) && outcome !== "interrupted") runtime.counters.emails[outcome] += 1;
  }
  if (events.length === 0) return;
  runtime.tell(events);
  await runtime.storage.notify(topics);
}

interface Happening {
  type: EventType;
  metadata: Record<string, unknown>;
  emailEvent: Omit<EmailEvent, "workspaceId"> & { workspaceId: number | undefined };
}

const isOfWorkspace = (event: Happening["emailEvent"]): event is EmailEvent =>
  event.workspaceId !== undefined;

/** Events of an e-mail fire once: the first delay, each refused recipient, and the end (decisions §7). */
function happeningsOf({ claimed, result }: Tried): Happening[] {
  const { email } = claimed;
  const at = result.attempt.endedAt ?? result.attempt.startedAt;
  const about = { subject: email.subject, tags: email.tags, metadata: email.metadata };
  const happening = (
    type: EventType,
    metadata: Record<string, unknown>,
    data: Partial<EmailEventData> = {},
  ): Happening => ({
    type,
    metadata,
    emailEvent: {
      type,
      emailId: email.id,
      workspaceId: email.workspaceId,
      sender: senderOf(email.from),
      at,
      data: { ...about, ...data },
    },
  });
  // Only a server's word makes a bounce: what could not be made or handed over was refused by nobody.
  const happened = result.recipients
    .filter(({ state, lastCode }) => state === "failed" && lastCode !== undefined)
    .map(({ address: recipient, lastReply: reply }) =>
      happening("email.bounced", { recipient, reply }, { recipient, class: bounceClass(reply), reply }),
    );
  if ("retryAt" in result.next) {
    const before = claimed.recipients.some(({ state }) => state === "deferred");
    const delay = { attempt: claimed.attempt, reply: result.attempt.reply };
    if (!before) happened.push(happening("email.delivery_delayed", delay, delay));
    return happened;
  }
  if (result.next.status === "failed")
    return [...happened, happening("email.failed", { reply: result.attempt.reply })];
  const settled = [
    ...result.recipients,
    ...claimed.recipients.filter(({ settledAt }) => settledAt !== undefined),
  ];
  const count = (state: string) => settled.filter((one) => one.state === state).length;
  return [...happened, happening("email.sent", { accepted: count("accepted"), failed: count("failed") })];
}
