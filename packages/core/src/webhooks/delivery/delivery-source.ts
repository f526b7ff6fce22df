import type { ClaimedDelivery } from "../../ports/storage/webhooks.ts";
import type { Runtime } from "../../service/runtime.ts";
import { deliverySlots, planDeliveries } from "./plan-deliveries.ts";

/** Webhooks that one look tells of at the most. */
const endpointsAtOnce = 512;
/** Deliveries of webhooks that are switched off that one claim ends at the most. */
const endedAtOnce = 500;
/** Ms by which the database's clock may fall behind the time that passed before it has made a step. */
const stepMs = 1_000;

/** Where a worker's deliveries come from. */
export interface DeliverySource {
  /** Claims what is due and has its turn. `inHand`: what this worker still works on. */
  claim(inHand: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]>;
  nextDueAt(): Promise<number | undefined>;
}

/** Claims deliveries in turn over workspaces and endpoints, and ends those that wait for a webhook that was switched off. */
export function createDeliverySource(
  {
    storage,
    logger,
    queueClock: clock,
    config,
  }: Pick<Runtime, "storage" | "logger" | "queueClock" | "config">,
  leaseMs: number,
): DeliverySource {
  const { webhookDeliveries } = storage;
  /** The moment of the last look, by both measures of time. */
  let last: { now: number; monotonic: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  /** What was put off or leased by a clock that was ahead would otherwise wait until the clock gets there again. */
  async function undoStep(): Promise<void> {
    if (clock.monotonic() - askedAt >= config.worker.pollMs) {
      await clock.ask();
      askedAt = clock.monotonic();
    }
    const moment = { now: clock.now(), monotonic: clock.monotonic() };
    const isBehind = last !== undefined && moment.now - last.now < moment.monotonic - last.monotonic - stepMs;
    if (last === undefined || isBehind) {
      const count = await webhookDeliveries.restoreDue(moment.now);
      if (count > 0)
        logger.warn({ deliveries: count }, "webhook deliveries were put off by a clock that was ahead");
    }
    last = moment;
  }

  return {
    async claim(inHand) {
      await undoStep();
      const now = clock.now();
      const look = { now, most: deliverySlots.ofEndpoint, limit: endpointsAtOnce };
      const endpoints = await webhookDeliveries.look(look);
      const rows = endpoints.flatMap(({ isActive, row }) => (isActive ? [] : row));
      if (rows.length > 0) {
        const error = "the webhook is switched off";
        await webhookDeliveries.endWaiting({ rows, error, now, limit: endedAtOnce });
      }
      const wants = planDeliveries(
        endpoints.filter(({ isActive }) => isActive),
        inHand.map(({ webhook: { id, workspaceId, failuresInARow } }) => ({
          webhookId: id,
          workspaceId,
          isFailing: failuresInARow > 0,
        })),
      );
      return wants.length === 0 ? [] : webhookDeliveries.claim({ wants, now, leaseMs });
    },
    nextDueAt: () => webhookDeliveries.nextDueAt(),
  };
}
