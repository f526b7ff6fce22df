import { AsyncLocalStorage } from "node:async_hooks";
import { checkOptions, functionCheck, hasMethods, type OptionChecks } from "../ports/check-options.ts";
import type { Topic } from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { createHourlyJobs } from "./hourly-jobs.ts";
import { jobs } from "./jobs.ts";

/** Maximum ms that a stop waits for deliveries in progress. */
const patience = 25_000;

/** Options of a drain. */
export interface DrainOptions {
  /** Ends the drain after the items in progress. If given, the drain is listed as a worker in the queue's status. */
  signal?: AbortSignal | undefined;
  /** Called after each round with the number of handled items. */
  onHandled?: ((count: number) => void) | undefined;
}

/** What these options must be: a signal that is not seen would never end the drain. */
const drainChecks: OptionChecks<DrainOptions> = {
  signal: hasMethods("an AbortSignal, such as an AbortController's signal", "addEventListener"),
  onHandled: functionCheck,
};

/** Throws a `TypeError` that names the fault, and says what to write where a scheduler passes its job, date or event. */
function checkDrainOptions(options: DrainOptions): void {
  try {
    checkOptions("drain", options, drainChecks);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}. A scheduler that passes more takes () => posthorn.drain()`);
  }
}

/** All background work of a process. */
export interface Worker {
  start(): void;
  /**
   * Begins no further items and waits for those in progress, at most 25 s. Items that are abandoned are tried again
   * when their leases expire. Resolves to the number of those that may arrive twice.
   */
  stop(): Promise<number>;
  /**
   * Handles all due items, and those that fall due through them, until none is left, and waits for those that `start`
   * has in progress. Returns the number of items that it has handled itself.
   */
  drain(options?: DrainOptions): Promise<number>;
}

/** Creates a worker for the jobs of the [table](./jobs.ts): delivery jobs and hourly jobs. */
export function createWorker(runtime: Runtime): Worker {
  const name = runtime.newId();
  const deliveries = jobs.deliveries.map(({ create, ...job }) => ({ ...job, loop: create(runtime, name) }));
  const hourly = createHourlyJobs(runtime, name, jobs.hourly);
  let isRunning = false;
  let leave: (() => Promise<void>) | undefined;
  let unsubscribe: (() => void) | undefined;
  let stopping = Promise.resolve(0);

  async function end(): Promise<number> {
    if (!isRunning) return 0;
    isRunning = false;
    unsubscribe?.();
    const jobsEnd = hourly.stop();
    const left = await Promise.all(deliveries.map(({ loop }) => loop.stop(patience)));
    await jobsEnd;
    // A domain's check or an erasure is done again, which nobody notices.
    const abandoned = left.reduce(
      (sum, count, job) => sum + (deliveries[job]?.goesOut === true ? count : 0),
      0,
    );
    // If it was started again meanwhile, it is still there.
    if (isRunning) return abandoned;
    const gone = leave;
    leave = undefined;
    await gone?.();
    return abandoned;
  }

  async function handleDue(): Promise<number> {
    let handled = 0;
    for (const { loop } of deliveries) handled += await loop.runOnce();
    return handled;
  }

  /** Waits for the items that this process has in progress, or for the signal. Resolves to whether there were any. */
  async function untilIdle(signal: AbortSignal | undefined): Promise<boolean> {
    const ended = Promise.withResolvers<boolean[]>();
    const end = (): void => ended.resolve([true]);
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end);
    const had = await Promise.race([
      ended.promise,
      Promise.all(deliveries.map(({ loop }) => loop.untilIdle())),
    ]);
    signal?.removeEventListener("abort", end);
    return had.includes(true);
  }

  return {
    start() {
      if (isRunning) return;
      isRunning = true;
      stopping = stopping.then(() => 0);
      leave ??= startHeartbeat(runtime, name);
      // News comes in the context of the host's request that committed: its trace has no part in others' deliveries.
      const wake = AsyncLocalStorage.bind((news: Topic) => {
        for (const { topic, loop } of deliveries) if (topic === news) loop.wake();
      });
      unsubscribe = runtime.storage.subscribe(wake);
      for (const { loop } of deliveries) loop.start();
      hourly.start();
    },
    // A second call, for example by `close`, waits for the same end, and ends what was started since.
    stop() {
      stopping = Promise.all([stopping, end()]).then(([before, abandoned]) => before + abandoned);
      return stopping;
    },
    async drain(options = {}) {
      checkDrainOptions(options);
      const { signal, onHandled } = options;
      const depart = signal && startHeartbeat(runtime, name);
      let total = 0;
      try {
        for (let isIdle = false; !isIdle && signal?.aborted !== true; ) {
          const handled = await handleDue();
          onHandled?.(handled);
          total += handled;
          isIdle = handled === 0 && !(await untilIdle(signal));
        }
      } finally {
        await depart?.();
      }
      return total;
    },
  };
}
