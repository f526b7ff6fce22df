import type { BacklogFloor, ClaimedDelivery, DueEndpoint } from "../../ports/storage.ts";
import type { Grace } from "../../queue/loop/create-grace.ts";
import { createLookGap } from "../../queue/loop/look-gap.ts";
import { formerTimeMs } from "../../queue/queue-clock.ts";
import type { Runtime } from "../../service/runtime.ts";
import { paceOf } from "../rules/endpoint-pace.ts";
import { createBacklogFloors } from "./backlog-floors.ts";
import { createLastTurns } from "./create-last-turns.ts";
import { deliverySlots, planDeliveries, type UnderWay } from "./plan-deliveries.ts";

/** Maximum number of webhooks of one pace, working or failing, that one look returns; the next one returns the next. */
const endpointsAtOnce = 512;
/** Maximum number of deliveries of disabled webhooks that one claim ends. */
const endedAtOnce = 500;
/** A search for due times of a clock that was ahead, if it fails again and again, takes at most this fraction (1 / n) of the time. */
const restorePart = 20;
/** How far, in ms, the database's clock may fall behind the elapsed time before this counts as a clock step. */
const stepMs = 1_000;

/** Maximum pause in ms that an endpoint may ask for by `Retry-After` (decisions §10). */
export const longestPauseMs = 3_600_000;

/** Source of a worker's deliveries. */
export interface DeliverySource {
  /** Claims the due deliveries whose turn it is. `inHand` are those that this worker is still working on. */
  claim(inHand: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]>;
  nextDueAt(): Promise<number | undefined>;
  /** Ms from one look to the next: it costs as much as there are endpoints with a backlog, due or not. */
  lookGapMs(): number;
}

/**
 * Creates a source that claims deliveries in turn over workspaces and endpoints, and ends deliveries that wait for a
 * disabled webhook.
 */
export function createDeliverySource(
  {
    storage,
    logger,
    queueClock: clock,
    config,
  }: Pick<Runtime, "storage" | "logger" | "queueClock" | "config">,
  { leaseMs, grace }: { leaseMs: number; grace: Grace },
): DeliverySource {
  const { webhookDeliveries, webhooks } = storage;
  /** Time of the last look, by the database's clock and by the monotonic clock. */
  let last: { now: number; monotonic: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const turns = createLastTurns();
  /** Endpoints of each kind that earlier looks returned, if there are more than one look returns. */
  let skip = 0;
  /** When each delivery under way was claimed, by the monotonic clock. */
  const claimedAt = new WeakMap<ClaimedDelivery, number>();
  let steppedBackAt = Number.NEGATIVE_INFINITY;
  /** When due times of a clock that was ahead are looked for, by the monotonic clock. */
  let restoreAt = Number.POSITIVE_INFINITY;
  const gap = createLookGap();
  const floors = createBacklogFloors(webhookDeliveries, clock.monotonic);
  /** What the last look took, in ms. */
  let tookMs = 0;
  /** What the question for the next due time took since the last look: it looks at as many endpoints. */
  let askedMs = 0;

  /**
   * After the database's clock stepped back, makes deliveries due that were postponed or leased by the former time:
   * otherwise they would wait until the clock reaches it again.
   */
  async function undoStep(): Promise<void> {
    const asked = clock.monotonic() - askedAt >= config.worker.pollMs;
    if (asked) {
      await clock.ask();
      askedAt = clock.monotonic();
    }
    const moment = { now: clock.now(), monotonic: clock.monotonic() };
    const isBehind = last !== undefined && moment.now - last.now < moment.monotonic - last.monotonic - stepMs;
    if (isBehind) steppedBackAt = moment.monotonic;
    // How much is left of a pause that an endpoint asked for is unknown now: too long a wait is worse than none.
    if (isBehind) await webhooks.endPauses(moment.now);
    // The clock may have stepped back while no process ran.
    else if (last === undefined) await webhooks.endPauses(moment.now + longestPauseMs + stepMs);
    const mayBeFormer = asked && moment.monotonic - steppedBackAt <= formerTimeMs;
    if (last === undefined || isBehind || mayBeFormer) restoreAt = moment.monotonic;
    // Deliveries go on even if there are more of them than the storage can look at in time.
    last = moment;
    if (moment.monotonic < restoreAt) return;
    restoreAt = Number.POSITIVE_INFINITY;
    try {
      const count = await webhookDeliveries.restoreDue(moment.now);
      if (count > 0)
        logger.warn({ deliveries: count }, "webhook deliveries were postponed by a clock that was ahead");
    } catch (error) {
      const now = clock.monotonic();
      restoreAt = now + Math.max(config.worker.pollMs, (now - moment.monotonic) * restorePart);
      throw error;
    }
  }

  async function lookFrom<R>(look: (from: readonly BacklogFloor[]) => Promise<R>): Promise<R> {
    const from = await floors.current(clock.now());
    const begun = clock.monotonic();
    try {
      return await look(from);
    } finally {
      tookMs = clock.monotonic() - begun;
      floors.note(from, tookMs);
    }
  }

  const underWay = (inHand: readonly ClaimedDelivery[]): UnderWay[] => {
    const now = clock.monotonic();
    return inHand.map((claimed) => {
      const { id, workspaceId, failuresInARow, pace } = claimed.webhook;
      const takenMs = now - (claimedAt.get(claimed) ?? now);
      return {
        webhookId: id,
        workspaceId,
        isFailing: failuresInARow > 0,
        pace: Math.max(pace, paceOf(takenMs)),
      };
    });
  };

  return {
    async claim(inHand) {
      await undoStep();
      const now = clock.now();
      const look = { now, most: deliverySlots.ofLoneEndpoint, limit: endpointsAtOnce, skip };
      const endpoints = await lookFrom((from) => webhookDeliveries.look({ ...look, floors: from }));
      gap.note(tookMs + askedMs);
      askedMs = 0;
      const isAll = !hasMore(endpoints);
      skip = isAll ? 0 : skip + endpointsAtOnce;
      const rows = endpoints.flatMap(({ isActive, row }) => (isActive ? [] : row));
      if (rows.length > 0) {
        const error = "the webhook is disabled";
        await webhookDeliveries.endWaiting({ rows, error, now, limit: endedAtOnce });
      }
      const active = endpoints.filter(({ isActive }) => isActive);
      // Those that this look left out still wait.
      if (isAll) turns.keep(active);
      const wants = planDeliveries(active, underWay(inHand), turns);
      if (wants.length === 0) return [];
      const dueAt = new Map(active.map((one) => [one.row, one.dueAt]));
      const claimed = await webhookDeliveries.claim({
        wants: wants.map((want) => ({ ...want, since: dueAt.get(want.row) ?? now })),
        now,
        leaseMs,
        inHand: inHand.map(({ delivery }) => delivery.id),
        leavesExpired: !grace.isOver(),
      });
      for (const one of claimed) claimedAt.set(one, clock.monotonic());
      return claimed;
    },
    async nextDueAt() {
      const dueAt = await lookFrom((from) => webhookDeliveries.nextDueAt(from));
      askedMs = tookMs;
      return dueAt;
    },
    lookGapMs: gap.ms,
  };
}

/** Whether a look returned as many endpoints of one kind as it may, so that there may be more. */
function hasMore(endpoints: readonly DueEndpoint[]): boolean {
  const ofKind = ({ isActive, pace, isFailing }: DueEndpoint) => `${isActive} ${pace} ${isFailing}`;
  return [...Map.groupBy(endpoints, ofKind).values()].some(({ length }) => length >= endpointsAtOnce);
}
