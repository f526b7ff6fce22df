import type { Runtime } from "../service/runtime.ts";
import { createHourlyJobs } from "./hourly-jobs.ts";
import { jobs } from "./jobs.ts";
import { showLife } from "./signs-of-life.ts";

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
}

/** A worker for the jobs of the [table](./jobs.ts): those that deliver, and those of every hour. */
export function createWorker(runtime: Runtime): Worker {
  const name = runtime.newId();
  const deliveries = jobs.deliveries.map(({ topic, create }) => ({ topic, loop: create(runtime, name) }));
  const hourly = createHourlyJobs(runtime, name, jobs.hourly);
  let leave: (() => Promise<void>) | undefined;
  let unsubscribe: (() => void) | undefined;
  let stopping: Promise<void> | undefined;

  async function end(): Promise<void> {
    if (leave === undefined) return;
    const gone = leave;
    leave = undefined;
    unsubscribe?.();
    await Promise.all([...deliveries.map(({ loop }) => loop.stop(patience)), hourly.stop()]);
    await gone();
  }

  async function handleDue(): Promise<number> {
    let handled = 0;
    for (const { loop } of deliveries) handled += await loop.runOnce();
    return handled;
  }

  return {
    start() {
      if (leave !== undefined) return;
      leave = showLife(runtime, name);
      unsubscribe = runtime.storage.subscribe((news) => {
        for (const { topic, loop } of deliveries) if (topic === news) loop.wake();
      });
      for (const { loop } of deliveries) loop.start();
      hourly.start();
    },
    // Whoever stops a second time, such as by closing, waits for the same end.
    stop() {
      stopping ??= end().finally(() => {
        stopping = undefined;
      });
      return stopping;
    },
    async drain({ signal, onHandled } = {}) {
      const depart = signal && showLife(runtime, name);
      let total = 0;
      try {
        for (let handled = 1; handled > 0 && signal?.aborted !== true; total += handled) {
          handled = await handleDue();
          onHandled?.(handled);
        }
      } finally {
        await depart?.();
      }
      return total;
    },
  };
}
