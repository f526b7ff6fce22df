import { ServiceError } from "../../errors.ts";
import { maxLookAheadMs, type TakenCampaign } from "../../ports/storage/campaigns.ts";
import { everyRoute, StorageUnavailable } from "../../ports/storage.ts";
import type { WorkLoop } from "../../queue/work-loop.ts";
import type { Runtime } from "../../service/runtime.ts";
import { createFeedingContext } from "./feeding-context.ts";
import { lookAfterCampaign } from "./look-after-campaign.ts";

/** Ms that a campaign is one feeder's, renewed meanwhile; a killed feeder's is taken by another after that. */
const leaseMs = 5_000;
/** Ms between two looks at the least, and at the most. */
const busyMs = 250;
const idleMs = 5_000;
/**
 * Ms after which a campaign that could not be looked after is tried again; others go on. Where the storage was busy or away, that is
 * over soon, and nothing is wrong with the campaign.
 */
const failedMs = { storage: 500, otherwise: 30_000 };

/** Feeds campaigns into the queue, one at a time in a process, each by one process of all. */
export function createCampaignFeeder(runtime: Runtime, worker: string): WorkLoop {
  const { queueClock, logger } = runtime;
  const { campaigns, emailQueue } = runtime.storage;
  let running = false;
  /** Whether something came up while a round was under way. */
  let woken = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  /** Looks after the campaign that is due first, as seen `aheadMs` later; what was done, `undefined` where none is due. */
  async function lookOnce(aheadMs: number): Promise<number | undefined> {
    // Where nothing is delivered nothing is fed: in a restored copy, whoever comes next may have had the mail already.
    if (await emailQueue.isParked(everyRoute, queueClock.now())) return undefined;
    const taken = await campaigns.take(worker, queueClock.now() + aheadMs, leaseMs);
    if (taken === undefined) return undefined;
    const stopRenewing = keep(taken);
    try {
      const { count, lookAt } = await lookAfter(taken);
      await campaigns.release(taken.campaign.id, taken.fence, lookAt);
      return count;
    } finally {
      stopRenewing();
    }
  }

  function keep({ campaign, fence }: TakenCampaign): () => void {
    const timer = setInterval(() => {
      // Where it is another's by now, the fence keeps what is written here out.
      campaigns.renew(campaign.id, fence, queueClock.now() + leaseMs).catch(() => {});
    }, leaseMs / 3);
    return () => clearInterval(timer);
  }

  /** One that fails is no reason for others to wait. */
  async function lookAfter(taken: TakenCampaign): ReturnType<typeof lookAfterCampaign> {
    const context = createFeedingContext(runtime, taken.campaign.workspaceId);
    try {
      const { count, lookAt } = await lookAfterCampaign(context, taken);
      const latest = queueClock.now() + maxLookAheadMs;
      return { count, lookAt: lookAt === undefined ? undefined : Math.min(lookAt, latest) };
    } catch (error) {
      logger.error({ err: error, campaign: taken.campaign.id }, "campaigns: feeding failed");
      const isAway =
        error instanceof StorageUnavailable ||
        (error instanceof ServiceError && error.code === "unavailable");
      const waitMs = isAway ? failedMs.storage : failedMs.otherwise;
      return { count: 0, lookAt: queueClock.now() + waitMs };
    }
  }

  async function lookAll(): Promise<void> {
    let waitMs = idleMs;
    woken = false;
    try {
      while (running && (await lookOnce(0)) !== undefined);
      const next = await campaigns.nextLookAt();
      if (next !== undefined) waitMs = Math.min(idleMs, Math.max(busyMs, next - queueClock.now()));
    } catch (error) {
      waitMs = failedMs.storage;
      logger.error({ err: error }, "campaigns: looking for them failed");
    }
    if (running) plan(woken ? 0 : waitMs);
  }

  function plan(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(look, ms);
  }

  function look(): void {
    round ??= lookAll().finally(() => {
      round = undefined;
    });
  }

  return {
    start() {
      if (running) return;
      running = true;
      look();
    },
    wake() {
      woken = true;
      if (running && round === undefined) plan(0);
    },
    // What falls due within a second is done now: whoever drains waits for the end of what there is.
    runOnce: async () => (await lookOnce(1_000)) ?? 0,
    async stop() {
      running = false;
      clearTimeout(timer);
      await round;
    },
  };
}
