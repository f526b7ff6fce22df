import type { Runtime } from "../service/runtime.ts";

const hourMs = 3_600_000;
/** Ms from a process's start to its first round: one that never lives for an hour does its share as well. */
const firstMs = 60_000;

/** Something that one process of all does every hour. */
export interface HourlyJob {
  name: string;
  /** Ends early once `stopped` answers yes. */
  run(runtime: Runtime, stopped: () => boolean): Promise<unknown>;
}

/** The hourly jobs of one process. */
export interface HourlyJobs {
  start(): void;
  /** Begins none more, and waits for the one under way, which ends early. */
  stop(): Promise<void>;
}

/** Runs jobs one after another, each by one process at a time; what fails is logged and comes again an hour later. */
export function createHourlyJobs(runtime: Runtime, worker: string, jobs: readonly HourlyJob[]): HourlyJobs {
  const { operations } = runtime.storage;
  let timers: NodeJS.Timeout[] = [];
  let running = false;
  let round: Promise<void> | undefined;

  async function runAlone({ name, run }: HourlyJob): Promise<void> {
    const now = runtime.queueClock.now();
    if (!(await operations.takeJob(name, worker, now, now + hourMs))) return;
    await run(runtime, () => !running).finally(() => operations.endJob(name, worker));
  }

  async function runAll(): Promise<void> {
    for (const job of jobs) {
      if (!running) return;
      await runAlone(job).catch((error: unknown) =>
        runtime.logger.error({ err: error, job: job.name }, "an hourly job failed"),
      );
    }
  }

  const begin = (): void => {
    round ??= runAll().finally(() => {
      round = undefined;
    });
  };

  return {
    start() {
      running = true;
      timers = [setTimeout(begin, firstMs), setInterval(begin, hourMs)];
    },
    async stop() {
      running = false;
      for (const timer of timers.splice(0)) clearInterval(timer);
      await round;
    },
  };
}
