import { ServiceError } from "../../../errors.ts";
import { isLocked } from "../../../ports/is-locked.ts";
import {
  everyRoute,
  maxLookAheadMs,
  StorageUnavailable,
  type TakenCampaign,
} from "../../../ports/storage.ts";
import type { WorkLoop } from "../../../queue/loop/work-loop.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { advanceCampaign } from "./advance-campaign.ts";
import { createFeedingContext } from "./feeding-context.ts";

/**
 * Ms of a feeder's lease on a campaign. It is renewed while the feeder works; after a crash another feeder takes over
 * when it ends.
 */
const leaseMs = 5_000;
/** Minimum and maximum ms between two rounds. */
const busyMs = 250;
const idleMs = 5_000;
/**
 * Ms until a campaign is retried after a failure; other campaigns continue. A storage that was busy or unavailable
 * usually recovers soon, so that wait is short.
 */
const failedMs = { storage: 500, otherwise: 30_000 };
/**
 * Ms for which no campaign is fed of a workspace in whose way others keep locks, such as a host's transaction that stays
 * open: each try takes seconds, in which this process feeds no other.
 */
const lockedMs = 10_000;

/**
 * Creates the loop that feeds campaigns into the queue. Each process feeds one campaign at a time, and each campaign is
 * fed by one process.
 */
export function createCampaignFeeder(runtime: Runtime, worker: string): WorkLoop {
  const { queueClock, logger } = runtime;
  const { campaigns, emailQueue } = runtime.storage;
  /** Workspaces whose campaigns wait for locks of others, until when by the monotonic clock. */
  const lockedUntil = new Map<number, number>();
  let running = false;
  /** Whether a wake-up came during the current round. */
  let woken = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  /**
   * Processes the campaign, other than those of `except`, that is due first at `aheadMs` from now; returns it with the
   * number of processed items, or `undefined` if no campaign is due.
   */
  async function lookOnce(
    aheadMs: number,
    except?: readonly number[],
  ): Promise<{ id: number; count: number } | undefined> {
    // While delivery is held, nothing is fed: in a restored copy, the next recipients may already have had the mail.
    if (await emailQueue.isParked(everyRoute, queueClock.now())) return undefined;
    const taken = await campaigns.take(worker, queueClock.now() + aheadMs, leaseMs, except);
    if (taken === undefined) return undefined;
    const stopRenewing = keep(taken);
    try {
      const { count, lookAt } = await advance(taken);
      await campaigns.release(taken.campaign.id, taken.fence, lookAt, taken.campaign.status);
      return { id: taken.campaign.id, count };
    } finally {
      stopRenewing();
    }
  }

  function keep({ campaign, fence }: TakenCampaign): () => void {
    const timer = setInterval(() => {
      // If another feeder has the lease by now, the fence rejects this one's writes.
      campaigns.renew(campaign.id, fence, queueClock.now() + leaseMs).catch(() => {});
    }, leaseMs / 3);
    return () => clearInterval(timer);
  }

  /** Whether the campaign is gone, with its workspace: what was to be written for it then refers to nothing. */
  const isGone = async ({ campaign }: TakenCampaign): Promise<boolean> =>
    (await campaigns.find(campaign.workspaceId, campaign.id)) === undefined;

  function leaveLocked(workspaceId: number): void {
    const now = queueClock.monotonic();
    for (const [id, until] of lockedUntil) if (until <= now) lockedUntil.delete(id);
    lockedUntil.set(workspaceId, now + lockedMs);
  }

  /** Processes one campaign; its failure does not stop the others. */
  async function advance(taken: TakenCampaign): ReturnType<typeof advanceCampaign> {
    const { workspaceId } = taken.campaign;
    const lockedFor = (lockedUntil.get(workspaceId) ?? 0) - queueClock.monotonic();
    if (lockedFor > 0) return { count: 0, lookAt: queueClock.now() + Math.ceil(lockedFor) };
    try {
      await queueClock.assure();
      const context = createFeedingContext(runtime, workspaceId);
      const { count, lookAt } = await advanceCampaign(context, taken);
      const latest = queueClock.now() + maxLookAheadMs;
      return { count, lookAt: lookAt === undefined ? undefined : Math.min(lookAt, latest) };
    } catch (error) {
      const isAway =
        error instanceof StorageUnavailable ||
        (error instanceof ServiceError && error.code === "unavailable");
      if (!isAway && (await isGone(taken))) return { count: 0, lookAt: undefined };
      logger.error({ err: error, campaign: taken.campaign.id }, "campaigns: feeding failed");
      const isKeptLocked = isLocked(error);
      if (isKeptLocked) leaveLocked(workspaceId);
      const awayMs = isKeptLocked ? lockedMs : failedMs.storage;
      const waitMs = isAway ? awayMs : failedMs.otherwise;
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
      logger.error({ err: error }, "campaigns: the search for due campaigns failed");
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
    // Work that falls due within a second is done now, because `drain` waits until nothing is left. A campaign of which
    // nothing could be done is no end, as others may be due. One that changed meanwhile is due again at once.
    async runOnce() {
      const vain: number[] = [];
      const vainTwice: number[] = [];
      for (;;) {
        const looked = (await lookOnce(1_000, vain)) ?? (await lookOnce(0, vainTwice));
        if (looked === undefined) return 0;
        if (looked.count > 0) return looked.count;
        (vain.includes(looked.id) ? vainTwice : vain).push(looked.id);
      }
    },
    async untilIdle() {
      const had = round !== undefined;
      await round;
      return had;
    },
    async stop() {
      running = false;
      clearTimeout(timer);
      await round;
      return 0;
    },
  };
}
