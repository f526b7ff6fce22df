import type { WorkLoop } from "../../queue/work-loop.ts";
import type { Runtime } from "../../service/runtime.ts";
import { lookAfterCampaign } from "./look-after-campaign.ts";

/** Ms that a campaign is one feeder's; a killed feeder's is taken by another after that. */
const leaseMs = 30_000;
/** Ms between two looks where some campaign is due soon, and where none was found. */
const busyMs = 250;
const idleMs = 5_000;

/** Feeds campaigns into the queue, one at a time in a process, each by one process of all. */
export function createCampaignFeeder(runtime: Runtime, worker: string): WorkLoop {
  let running = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  /** Looks after the campaign that is due first, as seen `aheadMs` later; what was done, `undefined` where none is due. */
  async function lookOnce(aheadMs: number): Promise<number | undefined> {
    const { campaigns } = runtime.storage;
    const now = runtime.queueClock.now() + aheadMs;
    const taken = await campaigns.take(worker, now, now + leaseMs);
    if (taken === undefined) return undefined;
    const { count, lookAt } = await lookAfterCampaign(runtime, taken);
    await campaigns.release(taken.campaign.id, taken.fence, lookAt);
    return count;
  }

  async function lookAll(): Promise<void> {
    let found = false;
    try {
      for (let done: number | undefined = 0; running && done !== undefined; found ||= done !== undefined)
        done = await lookOnce(0);
    } catch (error) {
      runtime.logger.error({ err: error }, "campaigns: feeding failed");
    }
    if (running) plan(found ? busyMs : idleMs);
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
      if (running) plan(0);
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
