import type { Runtime } from "../service/runtime.ts";

const hourMs = 3_600_000;
/** Ms from a process's start to its first round, so that processes that live for less than an hour do their share. */
const firstMs = 60_000;
/** Ms after which a job that is still running is taken for another hour. */
const renewMs = hourMs / 4;

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
    const take = (): Promise<boolean> => {
      const now = runtime.queueClock.now();
      return operations.takeJob(name, worker, now, now + hourMs);
    };
    if (!(await take())) return;
    const keeping = keep(take);
    try {
      await run(runtime, () => !running || !keeping.isOurs());
    } finally {
      await keeping.end();
      await operations.endJob(name, worker);
    }
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

/** Takes a job again and again while it runs, as removing a large backlog takes hours: another process would begin too. */
function keep(take: () => Promise<boolean>): { isOurs(): boolean; end(): Promise<void> } {
  let isOurs = true;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    // Without the storage, the next time decides.
    isOurs = await take().catch(() => isOurs);
  };
  const timer = setInterval(() => {
    renewing = renew();
  }, renewMs);
  return {
    isOurs: () => isOurs,
    async end() {
      clearInterval(timer);
      // After the job's end, it would take the job for another hour.
      await renewing;
    },
  };
}
