import { suppressReported } from "../../inbound/suppress-reported.ts";
import type { AttemptResult, ClaimedEmail, Repositories, Topic } from "../../ports/storage.ts";
import { emailLifetime } from "../../rules/backoff.ts";
import { domainOfMailbox } from "../../rules/domain-of-mailbox.ts";
import type { Runtime } from "../../service/runtime.ts";
import { bounceEvent, createNotifications, serviceOrigin } from "../email-events.ts";
import { attemptChanges } from "../metrics/metric-changes.ts";
import type { EmailEvent } from "../notifications.ts";
import { expired } from "../rules/expired.ts";
import { isServersRoute } from "../rules/routes.ts";
import type { Attempted, Tried, Untried } from "./attempt-email.ts";
import { type RecordedBounce, recordBounces } from "./record-bounces.ts";
import { isServersFault } from "./servers/route-hold.ts";

/**
 * Ms for which an e-mail that could not be tried waits in its slot, and then in the queue: behind those that are due
 * by then, so that e-mails that can never be tried don't stand before the others.
 */
export const postponedMs = 1_000;

/**
 * Records attempts with their events and webhook deliveries, in one transaction; held e-mails return to the queue, and
 * their routes are parked. Results of an expired lease change nothing. Resolves to whether that ended a route's hold:
 * its other e-mails are due from now on.
 */
export async function settleEmails(
  runtime: Runtime,
  attempted: Attempted[],
  isTrial: (route: string) => boolean,
): Promise<boolean> {
  const tried = attempted.flatMap((one) => (one.kind === "tried" ? one : []));
  const untried = attempted.flatMap((one) => (one.kind === "tried" ? [] : one));
  // Attempts first: repeated after a failure they change nothing, while a hold would begin anew.
  const hasFreed = tried.length > 0 && (await settleTried(runtime, tried, isTrial));
  if (untried.length > 0) await putBack(runtime, untried, isTrial);
  return hasFreed;
}

async function putBack(
  { storage, queueClock, logger }: Runtime,
  untried: Untried[],
  isTrial: (route: string) => boolean,
): Promise<void> {
  const now = queueClock.now();
  const holds = new Map(
    untried.flatMap((one) => (one.kind === "held" ? [[one.claimed.route, one.hold] as const] : [])),
  );
  await storage.transaction(async ({ emailQueue }) => {
    for (const [route, { retryAfterMs, cause, reason }] of [...holds].sort(([a], [b]) => (a < b ? -1 : 1)))
      await emailQueue.park(
        { route, owner: "server", until: now + parkedMs(route, retryAfterMs), reason: `${cause}: ${reason}` },
        now,
      );
    const staying = untried.filter(({ kind }) => kind !== "rerouted");
    for (const [notBefore, those] of Map.groupBy(staying, (one) => dueAgainAt(one, now, isTrial)))
      await emailQueue.release(
        those.map(({ claimed }) => claimed.lease),
        notBefore === undefined ? {} : { notBefore },
      );
    const leaving = untried.flatMap((one) => (one.kind === "rerouted" ? one : []));
    for (const [route, those] of Map.groupBy(leaving, (one) => one.route))
      await emailQueue.release(
        those.map(({ claimed }) => claimed.lease),
        { route },
      );
    // Of a trial that tried nothing, the others learn nothing. They may be as many as this one was alone, and be led away one
    // by one: the next that does try the server holds them again, if it still accepts nothing.
    for (const route of new Set(leaving.map(({ claimed }) => claimed.route).filter(isTrial)))
      await emailQueue.endHold(route, now);
    // For one domain's e-mails the choice is the same. Each that came to it in its own turn would wait for that behind the hold,
    // with those of other senders, which keep the operator's route held.
    for (const move of movesOf(leaving)) await emailQueue.takeAlong(move);
  });
  for (const [route, { cause, reason, retryAfterMs, isChosen }] of holds)
    logger[isChosen === true ? "debug" : "warn"](
      { route, cause, reason, retryAfterMs },
      "a mail server accepts nothing for now: its route waits",
    );
}

interface Move {
  domains: Set<string>;
  from: string;
  to: string;
}

/** The senders' domains whose e-mails have to wait on another route. */
function movesOf(leaving: readonly { claimed: ClaimedEmail; route: string }[]): Iterable<Move> {
  const moves = new Map<string, Move>();
  for (const { claimed, route: to } of leaving) {
    const { email, route: from } = claimed;
    if (email.smtpServerId !== undefined) continue;
    const move = moves.get(`${from} ${to}`) ?? { domains: new Set(), from, to };
    moves.set(`${from} ${to}`, move);
    move.domains.add(domainOfMailbox(email.from));
  }
  return moves.values();
}

/**
 * When an e-mail that stays on its route is due again; `undefined` if that is unchanged. One that met a hold itself may be
 * its cause, such as by a recipient at whom the server closes each connection. It goes behind those that are due by now;
 * and one that tried the server after a hold, behind those that are due by the end of the next: another one tries it then.
 * As the oldest, it would try it after each hold, and keep all others waiting until its own time is over.
 */
function dueAgainAt(one: Untried, now: number, isTrial: (route: string) => boolean): number | undefined {
  if (one.kind === "postponed") return now + postponedMs;
  if (one.kind !== "held" || !isServersFault(one.hold)) return undefined;
  const { route } = one.claimed;
  return isTrial(route) ? now + parkedMs(route, one.hold.retryAfterMs) : now;
}

/**
 * Servers of a workspace may be changed at any time, so their routes are looked at again within a minute. A host's mailer
 * may name any number; the time must be one that can be stored.
 */
const parkedMs = (route: string, retryAfterMs: number): number =>
  Math.ceil(Math.min(Math.max(0, retryAfterMs), isServersRoute(route) ? 60_000 : emailLifetime));

async function settleTried(
  runtime: Runtime,
  attempted: Tried[],
  isTrial: (route: string) => boolean,
): Promise<boolean> {
  const { events, topics, recorded, freed } = await runtime.storage.transaction(async (storage) => {
    const results = attempted.map(({ result }) => result);
    // The server accepted an e-mail, so the route's others may follow.
    const freed = new Set(attempted.map(({ claimed }) => claimed.route).filter(isTrial));
    for (const route of [...freed].sort()) await storage.emailQueue.endHold(route, runtime.queueClock.now());
    const workspaces = new Set(attempted.flatMap(({ claimed }) => claimed.email.workspaceId ?? []));
    // Answered in the round trip of the settlement's first statement: all later ones then go together.
    const listing = storage.webhooks.listActive([...workspaces]);
    // Its failure waits for the settlement, which would go on writing after the transaction was rolled back.
    listing.catch(() => {});
    const recorded = new Set(await storage.emailQueue.settle(results, runtime.queueClock.now()));
    const webhooks = await listing;
    // Of an e-mail that this process lost and claimed again, two attempts can be here: one of them stands.
    const stands = attempted.filter(({ result }) => recorded.has(result));
    await countSent(runtime, storage, stands);
    const bounces = await recordBounces(runtime, storage, stands);
    const happened = stands.flatMap((one) => emailEventsOf(one, bounces));
    const now = runtime.queueClock.now();
    await storage.metrics.count(stands.flatMap(({ result }) => attemptChanges(result, now)));
    const told = await createNotifications(runtime, storage, happened, serviceOrigin, webhooks);
    const suppressed = await suppressReported(runtime, storage, bounces, { ...serviceOrigin, now });
    const events = [...told.events, ...suppressed.events];
    const deliveries = [...told.deliveries, ...suppressed.deliveries];
    if (events.length > 0) await storage.events.append(events);
    if (deliveries.length > 0) await storage.webhookDeliveries.insert(deliveries);
    const topics: Topic[] = deliveries.length > 0 ? ["events", "webhooks"] : ["events"];
    return { events, topics, recorded, freed };
  });
  for (const { result } of attempted) {
    const outcome = result.attempt?.outcome;
    if (recorded.has(result) && outcome !== undefined && outcome !== "interrupted")
      runtime.counters.emails[outcome] += 1;
  }
  if (events.length > 0) {
    runtime.tell(events);
    await runtime.storage.notify(topics);
  }
  return freed.size > 0;
}

/** Counts the e-mails that the workspaces' own servers accepted. */
async function countSent({ queueClock }: Runtime, storage: Repositories, kept: Tried[]): Promise<void> {
  const taken = kept.filter(({ result }) => result.recipients.some(({ state }) => state === "accepted"));
  const counts = new Map<number, number>();
  for (const { server } of taken)
    if (server !== undefined) counts.set(server.row, (counts.get(server.row) ?? 0) + 1);
  const [worker] = taken.map(({ result }) => result.attempt?.worker);
  if (counts.size === 0 || worker === undefined) return;
  const sent = [...counts].map(([row, count]) => ({ row, count }));
  await storage.smtpServers.countSent(sent, worker, queueClock.now());
}

/**
 * Returns an e-mail's events; each fires once: the first delay, each refused or suppressed recipient, and the end
 * (decisions §7).
 */
function emailEventsOf({ claimed, result }: Tried, bounces: readonly RecordedBounce[]): EmailEvent[] {
  const { email } = claimed;
  const { attempt, next } = result;
  const at = "retryAt" in next ? (attempt?.endedAt ?? next.retryAt) : next.settledAt;
  const happened = [
    ...suppressedOf(result).map((one): EmailEvent => ({ ...one, email, at })),
    ...bounces
      .filter(({ row, isNew }) => isNew && row === claimed.lease.row)
      .map((bounce) => bounceEvent(email, bounce)),
  ];
  if ("retryAt" in next) {
    const before = claimed.recipients.some(({ state }) => state === "deferred");
    const delay = { attempt: claimed.attempt, reply: attempt?.reply ?? "" };
    if (!before) happened.push({ type: "email.delivery_delayed", email, at, metadata: delay, data: delay });
    return happened;
  }
  // An e-mail without any remaining recipient has only the events of its recipients.
  if (next.status === "suppressed") return happened;
  const settled = [
    ...result.recipients,
    ...claimed.recipients.filter(({ settledAt }) => settledAt !== undefined),
  ];
  if (next.status === "failed") {
    const failed = settled.find(({ state }) => state === "failed");
    const reply = attempt?.reply ?? failed?.lastReply ?? "";
    const reason = reply === expired ? expired : "undeliverable";
    return [...happened, { type: "email.failed", email, at, metadata: { reply, reason } }];
  }
  const count = (state: string) => settled.filter((one) => one.state === state).length;
  const metadata = { accepted: count("accepted"), failed: count("failed") };
  return [...happened, { type: "email.sent", email, at, metadata }];
}

function suppressedOf({ recipients }: AttemptResult): Pick<EmailEvent, "type" | "metadata" | "data">[] {
  return recipients.flatMap(({ suppressedBy, address: recipient }) => {
    if (suppressedBy === undefined) return [];
    const about = { recipient, origin: suppressedBy };
    return { type: "email.suppressed" as const, metadata: about, data: about };
  });
}
