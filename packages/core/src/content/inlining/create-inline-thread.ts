import { Worker } from "node:worker_threads";
import type { WorkerSource } from "./find-worker.ts";
import type { InlineJob, InlineReply } from "./inline-job.ts";
import { inlineHeapMib, inlineStartMs, inlineStuckMs } from "./inliner-limits.ts";

/** The result of a job: the worker's reply, or the thread's end without a known fault of the content. */
export type ThreadOutcome = InlineReply | { ok: false; reason: "died"; message: string };

/** One helper thread, which does one job at a time and is replaced when it had to be ended. */
export interface InlineThread {
  perform(job: InlineJob): Promise<ThreadOutcome>;
  close(): Promise<void>;
}

/** How long a job may take. */
export interface InlineTime {
  /** Ms that the thread may compute for a job. */
  timeoutMs: number;
  /** Ms of a clock that runs on steadily. */
  now(): number;
}

/** A thread that starts at its first job and keeps no process alive when idle. */
export function createInlineThread(source: WorkerSource, { timeoutMs, now }: InlineTime): InlineThread {
  let worker: Worker | undefined;
  let resolve: ((outcome: ThreadOutcome) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function finish(outcome: ThreadOutcome): void {
    clearTimeout(timer);
    worker?.unref();
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

  /** Ends the job in hand once the thread has computed too long for it, or is stuck. */
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
      // The reply may have come meanwhile, or have waited behind this timer.
      if (job !== resolve) return;
      if (left > 0 && now() < stuckAt) lookIn(Math.ceil(left));
      else abandon(current, tookTooLong(timeoutMs));
    }
    lookIn(timeoutMs);
  }

  function spawn(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: inlineHeapMib };
    const created =
      "file" in source
        ? new Worker(source.file, { resourceLimits })
        : new Worker(source.script, { eval: true, resourceLimits });
    created.on("message", (message: InlineReply | "started") => {
      if (created !== worker) return;
      if (message !== "started") return finish(message);
      // The clock starts when the worker does the job, not while it still loads its libraries.
      watch(created);
    });
    created.on("error", (error) => abandon(created, faultOf(error)));
    created.on("exit", () => abandon(created, died("it ended")));
    return created;
  }

  return {
    perform(job) {
      return new Promise((settle) => {
        resolve = settle;
        worker ??= spawn();
        const current = worker;
        current.ref();
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
 * CPU ms of a thread, or, before Node 24.6, elapsed ms: a content is limited by its own cost, not by a busy machine.
 */
async function computedMs(worker: Worker, now: () => number): Promise<number> {
  if (!worker.cpuUsage) return now();
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    // It has ended, as its own event tells.
    return 0;
  }
}

const died = (how: string): ThreadOutcome => ({ ok: false, reason: "died", message: how });

const tookTooLong = (timeoutMs: number): InlineReply => ({
  ok: false,
  reason: "timeout",
  message: `The content took longer than ${timeoutMs} ms to process.`,
});

/** A content can exhaust memory; anything else that ends a worker is our own fault. */
function faultOf(error: unknown): ThreadOutcome {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return { ok: false, reason: "too_large", message: "The content takes too much memory to process." };
  return died(String(error));
}
