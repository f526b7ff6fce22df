import { setTimeout as sleep } from "node:timers/promises";
import { createEmailDelivery } from "../mail/delivery/deliver-emails.ts";
import type { Topic } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { createWebhookDelivery } from "../webhooks/delivery/deliver-webhooks.ts";
import { tellExpiringKeys } from "../workspaces/api-keys/tell-expiring-keys.ts";
import { createJobs } from "./create-jobs.ts";
import { prune } from "./prune.ts";

const beatMs = 10_000;
/** Ms after which a beat that the storage did not take is tried again. */
const missedMs = 1_000;
/** Ms that the storage gets to hear of a worker's end. */
const leaveMs = 1_000;
/** Ms that deliveries under way are waited for at a stop. */
const patience = 25_000;

/** How a drain is watched and ended. */
export interface DrainOptions {
  /** Ends it after what is under way. Where it is given, the drain counts as a worker for whoever asks who delivers. */
  signal?: AbortSignal;
  /** Told how much each round handled. */
  onHandled?: (count: number) => void;
}

/** All background work of one process. */
export interface Worker {
  start(): void;
  /** Begins nothing more, and waits for what is under way, at most 25 s. What is given up moves again when its lease lapses. */
  stop(): Promise<void>;
  /** Handles what is due now, and what that makes due, until nothing is; how much it was. */
  drain(options?: DrainOptions): Promise<number>;
  /** Removes what is kept no longer; how many rows. */
  prune(): Promise<number>;
  /** Tells of API keys that end soon; how many. */
  tellExpiringKeys(): Promise<number>;
}

export function createWorker(runtime: Runtime): Worker {
  const { storage, logger, queueClock } = runtime;
  const name = runtime.newId();
  const emails = createEmailDelivery(runtime, name);
  const webhooks = createWebhookDelivery(runtime);
  const timers: NodeJS.Timeout[] = [];
  let unsubscribe: (() => void) | undefined;
  let running = false;
  let stopping: Promise<void> | undefined;

  const hear = (topic: Topic): void => {
    if (topic === "emails") emails.wake();
    if (topic === "webhooks") webhooks.wake();
  };
  const complain = (what: string) => (error: unknown) => logger.error({ err: error }, what);
  let missed: NodeJS.Timeout | undefined;
  const beat = () =>
    void storage.operations.beat(name, queueClock.now()).catch((error) => {
      complain("the worker's heartbeat failed")(error);
      if (running) missed = setTimeout(beat, missedMs);
    });
  /** Nobody is to count on a worker that has ended. Where the storage is away, its silence tells. */
  const leave = async (): Promise<void> => {
    const left = storage.operations.forgetWorker(name).catch(() => {});
    await Promise.race([left, sleep(leaveMs, undefined, { ref: false })]);
  };
  const pruneAll = (stopped?: () => boolean): Promise<number> =>
    prune(storage, { now: queueClock.now(), eventDays: runtime.config.eventRetentionDays }, stopped);

  const jobs = createJobs(runtime, name, [
    { name: "tell expiring keys", run: (stopped) => tellExpiringKeys(runtime, stopped) },
    { name: "prune", run: pruneAll },
  ]);

  async function end(): Promise<void> {
    if (!running) return;
    running = false;
    unsubscribe?.();
    clearTimeout(missed);
    for (const timer of timers.splice(0)) clearInterval(timer);
    await Promise.all([emails.stop(patience), webhooks.stop(patience), jobs.stop()]);
    await leave();
  }

  return {
    start() {
      if (running) return;
      running = true;
      unsubscribe = storage.subscribe(hear);
      emails.start();
      webhooks.start();
      beat();
      timers.push(setInterval(beat, beatMs));
      jobs.start();
    },
    // Whoever stops a second time, such as by closing, waits for the same end.
    stop() {
      stopping ??= end().finally(() => {
        stopping = undefined;
      });
      return stopping;
    },
    async drain({ signal, onHandled } = {}) {
      let beating: NodeJS.Timeout | undefined;
      if (signal !== undefined) {
        beat();
        beating = setInterval(beat, beatMs);
      }
      let total = 0;
      try {
        for (let handled = 1; handled > 0 && signal?.aborted !== true; total += handled) {
          handled = (await emails.runOnce()) + (await webhooks.runOnce());
          onHandled?.(handled);
        }
      } finally {
        clearInterval(beating);
        if (signal !== undefined) await leave();
      }
      return total;
    },
    prune: () => pruneAll(),
    tellExpiringKeys: () => tellExpiringKeys(runtime),
  };
}
