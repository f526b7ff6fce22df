import { Worker } from "node:worker_threads";
import type { WorkerSource } from "./find-worker.ts";
import type { InlineJob, InlineReply } from "./inline-job.ts";
import { INLINE_HEAP_MIB, INLINE_START_MS } from "./inliner-limits.ts";

/** What came of a job: the worker's reply, or that the thread ended through no fault that is known of the content. */
export type ThreadOutcome = InlineReply | { ok: false; reason: "died"; message: string };

/** One helper thread, which does one job at a time and is replaced when it had to be ended. */
export interface InlineThread {
  perform(job: InlineJob): Promise<ThreadOutcome>;
  close(): Promise<void>;
}

/** A thread that starts at its first job and keeps no process alive when idle. */
export function createInlineThread(source: WorkerSource, timeoutMs: number): InlineThread {
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

  function spawn(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: INLINE_HEAP_MIB };
    const created =
      "file" in source
        ? new Worker(source.file, { resourceLimits })
        : new Worker(source.script, { eval: true, resourceLimits });
    created.on("message", (message: InlineReply | "started") => {
      if (created !== worker) return;
      if (message !== "started") return finish(message);
      // The clock starts when the worker does the job, not while it still loads its libraries.
      clearTimeout(timer);
      timer = setTimeout(() => abandon(created, tookTooLong(timeoutMs)), timeoutMs);
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
        timer = setTimeout(() => abandon(current, died("it did not start")), INLINE_START_MS);
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

const died = (how: string): ThreadOutcome => ({ ok: false, reason: "died", message: how });

const tookTooLong = (timeoutMs: number): InlineReply => ({
  ok: false,
  reason: "timeout",
  message: `The content took longer than ${timeoutMs} ms to process.`,
});

/** Memory is what the content takes; anything else that ends a worker is our own fault. */
function faultOf(error: unknown): ThreadOutcome {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return { ok: false, reason: "too_large", message: "The content takes too much memory to process." };
  return died(String(error));
}
