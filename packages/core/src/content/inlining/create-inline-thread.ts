import { Worker } from "node:worker_threads";
import { inlineHeapMib, inlineStartMs, inlineStuckMs, inlineYoungMib } from "../rules/inliner-limits.ts";
import type { WorkerSource } from "./find-worker.ts";
import type { InlineJob, InlineReply } from "./inline-job.ts";

/** Result of a job: the worker's reply, or the end of the thread for a reason other than the content. */
export type ThreadOutcome = InlineReply | { ok: false; reason: "died"; message: string };

/** A helper thread. It does one job at a time, and is replaced with the next job after it was terminated. */
export interface InlineThread {
  perform(job: InlineJob): Promise<ThreadOutcome>;
  close(): Promise<void>;
}

/** Limits on the time of a job, and between two. */
export interface InlineTime {
  /** Maximum ms of computation for a job. */
  timeoutMs: number;
  /** Ms without a job after which the thread is terminated; `undefined` for never. */
  idleMs: number | undefined;
  /** Monotonic clock in ms. */
  now(): number;
}

/** Creates a thread, which starts with its first job and does not keep the process alive when idle. */
export function createInlineThread(
  source: WorkerSource,
  { timeoutMs, idleMs, now }: InlineTime,
): InlineThread {
  let worker: Worker | undefined;
  let resolve: ((outcome: ThreadOutcome) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function finish(outcome: ThreadOutcome): void {
    clearTimeout(timer);
    worker?.unref();
    if (worker !== undefined && idleMs !== undefined) timer = setTimeout(retire, idleMs).unref();
    const done = resolve;
    resolve = undefined;
    done?.(outcome);
  }

  function abandon(ended: Worker, outcome: ThreadOutcome): void {
    if (ended !== worker) return;
    worker = undefined;
    void ended.terminate();
    finish(outcome);
  }

  function retire(): void {
    const ended = worker;
    worker = undefined;
    void ended?.terminate();
  }

  /** Terminates the thread if it computes too long for its job, or is stuck. */
  function watch(current: Worker): void {
    const job = resolve;
    const stuckAt = now() + inlineStuckMs;
    const begun = computedMs(current, now);
    const lookIn = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), ms);
    };
    async function look(): Promise<void> {
      const left = timeoutMs - (await computedMs(current, now)) + (await begun);
      // The reply may have arrived in the meantime, or be queued behind this timer.
      if (job !== resolve) return;
      if (left > 0 && now() < stuckAt) lookIn(Math.ceil(left));
      else abandon(current, tookTooLong(timeoutMs));
    }
    lookIn(timeoutMs);
  }

  function spawn(): Worker {
    const resourceLimits = {
      maxOldGenerationSizeMb: inlineHeapMib,
      maxYoungGenerationSizeMb: inlineYoungMib,
    };
    const options = { resourceLimits, ...apartFromHost() };
    const created =
      "file" in source
        ? new Worker(source.file, options)
        : new Worker(source.script, { ...options, eval: true });
    created.on("message", (message: InlineReply | "started") => {
      if (created !== worker) return;
      if (message !== "started") return finish(message);
      // Time counts from the start of the job, without the loading of libraries.
      watch(created);
    });
    created.on("error", (error) => abandon(created, faultOf(error)));
    created.on("exit", () => abandon(created, died("it ended")));
    return created;
  }

  /** Returns the thread. If Node refuses a new one, the job ends with its reason, and the next job tries again. */
  function take(): Worker | undefined {
    try {
      worker ??= spawn();
    } catch (error) {
      finish(faultOf(error));
    }
    return worker;
  }

  return {
    perform(job) {
      return new Promise((settle) => {
        resolve = settle;
        const current = take();
        if (current === undefined) return;
        current.ref();
        clearTimeout(timer);
        timer = setTimeout(() => abandon(current, died("it did not start")), inlineStartMs);
        current.postMessage(job);
      });
    },
    async close() {
      const ended = worker;
      worker = undefined;
      finish(died("it was closed"));
      await ended?.terminate();
    },
  };
}

/**
 * What a host preloads (`--import`, `--require`, `NODE_OPTIONS`), such as its tracing, would run once more in the thread,
 * and its failure there would refuse contents. The thread inherits all where it needs it: under Node's `--permission` its
 * limits, under Yarn's Plug'n'Play the loader that finds its code.
 */
function apartFromHost(): { execArgv?: string[]; env?: Record<string, string> } {
  const needsAll = process.permission !== undefined || process.versions["pnp"] !== undefined;
  return needsAll ? {} : { execArgv: [], env: {} };
}

/**
 * Returns the CPU ms of a thread, or, before Node 24.6, elapsed ms: a content is limited by its own cost, not by a busy
 * machine.
 */
async function computedMs(worker: Worker, now: () => number): Promise<number> {
  if (!worker.cpuUsage) return now();
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    // The thread has ended, which its `exit` event reports.
    return 0;
  }
}

const died = (how: string): ThreadOutcome => ({ ok: false, reason: "died", message: how });

const tookTooLong = (timeoutMs: number): InlineReply => ({
  ok: false,
  reason: "timeout",
  message: `The content took longer than ${timeoutMs} ms to process.`,
});

/** A content may exhaust the memory; any other end of a worker is a fault of the service. */
function faultOf(error: unknown): ThreadOutcome {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return { ok: false, reason: "too_large", message: "The content takes too much memory to process." };
  return died(String(error));
}
