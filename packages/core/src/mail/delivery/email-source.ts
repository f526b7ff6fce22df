import type { ClaimedEmail, DuePart, Want } from "../../ports/storage.ts";
import type { Grace } from "../../queue/loop/create-grace.ts";
import { createLookGap } from "../../queue/loop/look-gap.ts";
import type { InHand } from "../../queue/loop/work.ts";
import type { DueOwners } from "../../queue/order/email-line.ts";
import { createAbandonment } from "../../queue/order/find-abandoned.ts";
import { createFloors } from "../../queue/order/floors.ts";
import { type LastRoutes, planClaim, whatCannotWait } from "../../queue/order/plan-claim.ts";
import { formerTimeMs } from "../../queue/queue-clock.ts";
import type { Runtime } from "../../service/runtime.ts";
import { isServersRoute, tenantOfRoute, workspaceOfRoute } from "../rules/routes.ts";
import { createTakeBack } from "./create-take-back.ts";
import { createUnanswered } from "./create-unanswered.ts";

/** Number of queue parts per look, until there was one that found more. */
const partsAtOnce = 512;
/** Maximum bytes of payloads per claim. */
const maxBytes = 8 * 1024 * 1024;
/** Ms until the next look after a claim that took all that was due: under load more comes meanwhile. */
const lookAgainMs = 20;
/** Ms by which the database's clock may deviate from this process's measurement before that counts as a step. */
const stepMs = 1_000;

/** Source of a worker's e-mails. */
export interface EmailSource {
  /**
   * Claims up to `limit` due e-mails; if as many wait already as there are slots, only those that must not wait behind
   * them.
   */
  claim(limit: number, inHand: InHand<ClaimedEmail>): Promise<ClaimedEmail[]>;
  /** Time of the next look: when the next e-mail is due, by the queue's clock, or soon after a claim that took all. */
  nextDueAt(): Promise<number | undefined>;
  /** Ms from one look to the next: it costs as much as there are routes on which e-mails wait, due or not. */
  lookGapMs(): number;
  /** Whether the route's hold had just ended at the last look, and a single e-mail tries it. */
  isTrial(route: string): boolean;
  /** The workspaces that have more due e-mails than the last claim took. */
  dueOwners(): DueOwners;
}

/**
 * Creates the source of one worker, which claims in turn over routes and lanes. Every `tendMs` it looks for claims that
 * dead workers left.
 */
export function createEmailSource(
  runtime: Runtime,
  worker: string,
  { slots, batch, grace }: { slots: number; batch: number; grace: Grace },
): EmailSource {
  const { storage, queueClock: clock, config } = runtime;
  const { leaseMs, pollMs } = config.worker;
  const findAbandoned = createAbandonment();
  const takeBack = createTakeBack(storage, { grace, monotonic: clock.monotonic });
  const answers = createUnanswered(worker);
  const floors = createFloors();
  const lastRoutes: LastRoutes = {};
  let mostParts = partsAtOnce;
  const gap = createLookGap();
  /** Routes whose hold just ended, and of which this process has an e-mail in progress. */
  let trials = new Set<string>();
  let dueOwners: DueOwners = new Map();
  /** The time of the next look, if the last claim tells it: a look of its own costs as much as that of a claim. */
  let next: { at: number | undefined } | undefined;
  let tendedAt = Number.NEGATIVE_INFINITY;
  /** The queue's time at zero of the monotonic clock: it changes by the steps of the database's clock. */
  let zero = 0;
  let steppedAt = Number.NEGATIVE_INFINITY;
  /** When that clock stepped back last. */
  let steppedBackAt = Number.NEGATIVE_INFINITY;

  /** Returns to the queue the claims of dead workers, and e-mails postponed by a clock that ran ahead. */
  async function tend({ waiting, active }: InHand<ClaimedEmail>): Promise<void> {
    const inHand = new Set([...waiting, ...active].map(({ lease }) => lease.claimId));
    const isFirst = tendedAt === Number.NEGATIVE_INFINITY;
    await clock.ask();
    tendedAt = clock.monotonic();
    const former = zero;
    zero = clock.now() - tendedAt;
    const step = isFirst ? 0 : zero - former;
    if (Math.abs(step) > stepMs) steppedAt = tendedAt;
    if (step < -stepMs) steppedBackAt = tendedAt;
    if (isFirst || tendedAt - steppedBackAt <= formerTimeMs) await storage.emailQueue.restoreDue(clock.now());
    const { claims, unanswered } = await answers.find(storage.emailQueue.claims());
    const lost = claims.filter(({ id }) => unanswered.has(id));
    if (lost.length > 0) await storage.emailQueue.reclaim(lost, clock.now(), { areUntried: true });
    const moment = {
      now: clock.now(),
      monotonic: tendedAt,
      isSteady: tendedAt - steppedAt >= leaseMs,
    };
    const abandoned = findAbandoned(
      claims.filter(({ id }) => !inHand.has(id) && !unanswered.has(id)),
      moment,
    );
    if (abandoned.length === 0) return;
    const count = await takeBack(abandoned, moment.now);
    // They are left to their owners for now, or, of a removed workspace, a claim is left without an e-mail.
    if (count === 0) return;
    runtime.logger.warn(
      { claims: abandoned.length, emails: count },
      "e-mails of dead workers return to the queue",
    );
  }

  async function look(): Promise<{ due: DuePart[]; nextAt: number | undefined }> {
    const [now, begun] = [clock.now(), clock.monotonic()];
    const from = floors.current(begun);
    let found = await storage.emailQueue.look(now, mostParts, from);
    // What is cut off would wait for all before it, which may be of one workspace whose servers stall.
    while (found.due.length >= mostParts) {
      mostParts *= 2;
      found = await storage.emailQueue.look(now, mostParts, from);
    }
    const ended = clock.monotonic();
    gap.note(ended - begun);
    floors.note({ from, due: found.due, now, begun, ended });
    // Servers of a workspace decide themselves when a single mail tries them, for all routes together.
    const due = found.due.map(({ isTrial, ...part }) =>
      isTrial && !isServersRoute(part.route) ? { ...part, isTrial } : part,
    );
    dueOwners = ownersOf(due);
    return { ...found, due };
  }

  /** The time of the next look, by what the last one found. */
  const soonest = (due: readonly DuePart[], nextAt: number | undefined): number | undefined =>
    due.some(({ route, isTrial }) => !isTrial || !trials.has(route)) ? clock.now() : nextAt;

  const take = (wants: Want[]): Promise<ClaimedEmail[]> =>
    answers.watch(storage.emailQueue.claim({ wants, now: clock.now(), leaseMs, worker, maxBytes }));

  /** Adds to what was claimed, which a failure must not lose: it would count as tried, once its lease has ended. */
  async function takeFurther(wants: Want[], claimed: ClaimedEmail[]): Promise<void> {
    if (wants.length === 0) return;
    try {
      claimed.push(...(await take(wants)));
    } catch (error) {
      if (claimed.length === 0) throw error;
      grace.begin();
      runtime.logger.warn({ err: error }, "a further part of the due e-mails could not be claimed");
    }
  }

  async function claim(limit: number, inHand: InHand<ClaimedEmail>): Promise<ClaimedEmail[]> {
    if (clock.monotonic() - tendedAt >= pollMs) await tend(inHand);
    next = undefined;
    const { due, nextAt } = await look();
    const coming = new Set(due.flatMap(({ route, isTrial }) => (isTrial ? route : [])));
    const busy = [...inHand.waiting, ...inHand.active].map(({ route }) => route);
    trials = new Set(busy.filter((route) => coming.has(route)));
    const open = whatCannotWait(oneTrialEach(due, trials), inHand, {
      slots: inHand.enough ?? slots,
      most: batch + slots,
    });
    const wants = planClaim(open, limit, lastRoutes);
    if (wants.length === 0) {
      next = { at: soonest(due, nextAt) };
      return [];
    }
    const claimed = await take(wants);
    // Where many routes have few e-mails each, one look serves for all that the claim has room for.
    const others = planFurther(open, wants, { claimed, limit, lastRoutes });
    await takeFurther(others, claimed);
    const asked = [...wants, ...others];
    const left = leftOf(due, asked, claimed);
    dueOwners = ownersOf(left);
    const isAll = claimed.length > 0 && dueOwners.size === 0 && coming.size === 0;
    if (isAll) next = { at: clock.now() + lookAgainMs };
    for (const { route } of claimed) if (coming.has(route)) trials.add(route);
    const further = fallThrough(
      asked.filter(({ route }) => !coming.has(route)),
      claimed,
      limit,
    );
    await takeFurther(further, claimed);
    return claimed;
  }

  return {
    claim,
    async nextDueAt() {
      const known = next;
      next = undefined;
      if (known !== undefined) return known.at;
      const { due, nextAt } = await look();
      return soonest(due, nextAt);
    },
    lookGapMs: gap.ms,
    isTrial: (route) => trials.has(route),
    dueOwners: () => dueOwners,
  };
}

/** The workspaces of these parts. A route on trial does not count: it takes no more than one slot. */
function ownersOf(due: readonly DuePart[]): DueOwners {
  const owners = new Map<number | undefined, boolean>();
  for (const { route, isTrial } of due) {
    if (isTrial) continue;
    const owner = workspaceOfRoute(route);
    owners.set(owner, owners.get(owner) === true || tenantOfRoute(route) === undefined);
  }
  return owners;
}

type Part = Pick<DuePart, "route" | "lane">;

const nameOf = ({ route, lane }: Part): string => `${lane} ${route}`;

/** Counts e-mails by part. */
function countParts(claimed: readonly Part[]): (part: Part) => number {
  const counts = new Map<string, number>();
  for (const one of claimed) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return (part) => counts.get(nameOf(part)) ?? 0;
}

/** Plans what the claim has room for after the first routes, of the others. */
function planFurther(
  due: readonly DuePart[],
  wants: readonly Want[],
  { claimed, limit, lastRoutes }: { claimed: readonly ClaimedEmail[]; limit: number; lastRoutes: LastRoutes },
): Want[] {
  const room = limit - claimed.length;
  if (room <= 0) return [];
  const asked = new Set(wants.map(nameOf));
  const others = due.filter((part) => !asked.has(nameOf(part)));
  return planClaim(others, room, lastRoutes, { routes: room, before: claimed });
}

/** Returns the parts without those of which a claim asked for more than it got. */
function leftOf(due: readonly DuePart[], wants: readonly Want[], claimed: readonly Part[]): DuePart[] {
  const numberOf = countParts(claimed);
  const usedUp = new Set(wants.filter((want) => numberOf(want) < want.limit).map(nameOf));
  return due.filter((part) => !usedUp.has(nameOf(part)));
}

/** Keeps, for a route whose hold just ended, one e-mail of one lane, and none while one is in progress. */
function oneTrialEach(due: readonly DuePart[], underWay: ReadonlySet<string>): DuePart[] {
  const seen = new Set(underWay);
  return due.filter(({ route, isTrial }) => {
    if (!isTrial) return true;
    const isFirst = !seen.has(route);
    seen.add(route);
    return isFirst;
  });
}

/** Distributes unused shares among the parts that need more than their own. */
function fallThrough(wants: Want[], claimed: ClaimedEmail[], limit: number): Want[] {
  const open = limit - claimed.length;
  if (open <= 0 || claimed.length === 0) return [];
  const numberOf = countParts(claimed);
  const full = wants.filter((want) => numberOf(want) === want.limit);
  const each = Math.floor(open / Math.max(1, full.length));
  return each === 0 ? [] : full.map((want) => ({ ...want, limit: each }));
}
