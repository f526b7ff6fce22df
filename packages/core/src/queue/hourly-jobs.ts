import type { Runtime } from "../service/runtime.ts";

const hourMs = 3_600_000;
/** Ms from a process's start to its first round, so that processes that live for less than an hour do their share. */
const firstMs = 60_000;

/** A job that one of all processes does every hour. */
export interface HourlyJob {
  name: string;
  /** Does the job. Ends early once `stopped` returns true. */
  run(runtime: Runtime, stopped: () => boolean): Promise<unknown>;
}

/** The hourly jobs of a process. */
export interface HourlyJobs {
  start(): void;
  /** Starts no further job, and waits for the one that is running, which ends early. */
  stop(): Promise<void>;
}

/**
 * Creates the hourly jobs. They run one after another, each in one process at a time. A failure is logged, and the job
 * is tried again an hour later.
 */
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
