import { Worker } from "node:worker_threads";
import type { InlineReason } from "./inline-failure.ts";
import type { InlineJob, InlineReply } from "./inline-job.ts";
import { INLINE_HEAP_MIB, INLINE_TIMEOUT_MS, MAX_CSS_BYTES, MAX_HTML_BYTES } from "./inliner-limits.ts";

/** The html with its CSS inlined, or why not. */
export type InlineResult = { ok: true; html: string } | InlineRefusal;

/** The text made from html, or why not. */
export type TextResult = { ok: true; text: string } | InlineRefusal;

/** A valid stylesheet, or its fault with line and column (from 1) where known. */
export type StylesheetResult = { ok: true } | { ok: false; message: string; line?: number; column?: number };

/** Why a job was refused. */
export type InlineRefusal = { ok: false; reason: InlineReason; message: string };

/** Settings of an inliner. */
export type InlinerOptions = {
  /** Milliseconds after which a job is ended together with its worker. Default 2,000. */
  timeoutMs?: number;
};

/** Inlines CSS, checks stylesheets and makes text parts, all in one worker thread; refusals are values. */
export type Inliner = {
  /** Inlines `css` (the workspace's, joined) before the html's own `<style>` (decisions §5). */
  inline(content: { html: string; css: string }): Promise<InlineResult>;
  /** Checks a stylesheet before it is saved. */
  checkStylesheet(css: string): Promise<StylesheetResult>;
  /** The text part for html without one; placeholders stay. */
  toText(html: string): Promise<TextResult>;
  /** Ends the worker; waiting jobs and later calls are refused with "failed". */
  close(): Promise<void>;
};

type Waiting = { job: InlineJob; resolve: (reply: InlineReply) => void };

/** An inliner whose worker starts at the first job and keeps no process alive when idle. */
export function createInliner(options: InlinerOptions = {}): Inliner {
  const queue = createJobQueue(options.timeoutMs ?? INLINE_TIMEOUT_MS);
  return {
    async inline({ html, css }) {
      if (css.trim() === "" && !/<style/i.test(html)) return { ok: true, html };
      const reply = tooLarge(html, css) ?? (await queue.perform({ kind: "inline", html, css }));
      return reply.ok ? { ok: true, html: reply.output } : refusalOf(reply);
    },
    async checkStylesheet(css) {
      const reply = tooLarge("", css) ?? (await queue.perform({ kind: "check", css }));
      if (reply.ok) return { ok: true };
      const { message, line, column } = reply;
      return {
        ok: false,
        message,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      };
    },
    async toText(html) {
      const reply = tooLarge(html, "") ?? (await queue.perform({ kind: "text", html }));
      return reply.ok ? { ok: true, text: reply.output } : refusalOf(reply);
    },
    close: queue.close,
  };
}

function tooLarge(html: string, css: string): InlineReply | undefined {
  if (Buffer.byteLength(css) > MAX_CSS_BYTES) return sizeRefusal("CSS", MAX_CSS_BYTES);
  return Buffer.byteLength(html) > MAX_HTML_BYTES ? sizeRefusal("html", MAX_HTML_BYTES) : undefined;
}

function sizeRefusal(what: string, limit: number): InlineReply {
  return { ok: false, reason: "too_large", message: `The ${what} is larger than ${limit / 1024} KiB.` };
}

function refusalOf({ reason, message }: Extract<InlineReply, { ok: false }>): InlineRefusal {
  return { ok: false, reason, message };
}

/** Runs one job at a time in one worker, which is replaced when it had to be ended. */
function createJobQueue(timeoutMs: number) {
  const waiting: Waiting[] = [];
  let worker: Worker | undefined;
  let current: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function finish(reply: InlineReply): void {
    clearTimeout(timer);
    const finished = current;
    current = undefined;
    worker?.unref();
    finished?.resolve(reply);
    startNext();
  }

  function startNext(): void {
    if (current !== undefined) return;
    current = waiting.shift();
    if (current === undefined) return;
    worker ??= spawn();
    worker.ref();
    // The clock starts when the worker does the job, not while it still loads its libraries.
    worker.postMessage(current.job);
  }

  function abandon(ended: Worker, reply: InlineReply): void {
    if (ended !== worker) return;
    worker = undefined;
    void ended.terminate();
    finish(reply);
  }

  function spawn(): Worker {
    const created = new Worker(workerUrl(), { resourceLimits: { maxOldGenerationSizeMb: INLINE_HEAP_MIB } });
    created.on("message", (message: InlineReply | "started") => {
      if (created !== worker) return;
      if (message !== "started") return finish(message);
      timer = setTimeout(() => abandon(created, timeout(timeoutMs)), timeoutMs);
    });
    created.on("error", (error) =>
      abandon(created, failure(`The content could not be processed: ${String(error)}`)),
    );
    created.on("exit", () => abandon(created, failure("The inlining worker ended.")));
    return created;
  }

  return {
    perform(job: InlineJob): Promise<InlineReply> {
      if (closed) return Promise.resolve(failure("The inliner is closed."));
      return new Promise((resolve) => {
        waiting.push({ job, resolve });
        startNext();
      });
    },
    async close(): Promise<void> {
      closed = true;
      for (const { resolve } of waiting.splice(0)) resolve(failure("The inliner is closed."));
      const ended = worker;
      worker = undefined;
      finish(failure("The inliner is closed."));
      await ended?.terminate();
    },
  };
}

/** The worker's file beside this one: source under type stripping, its own entry once built. */
function workerUrl(): URL {
  return new URL(
    import.meta.url.endsWith(".ts") ? "./inline-worker.ts" : "./inline-worker.js",
    import.meta.url,
  );
}

function failure(message: string): InlineReply {
  return { ok: false, reason: "failed", message };
}

function timeout(timeoutMs: number): InlineReply {
  return {
    ok: false,
    reason: "timeout",
    message: `The content took longer than ${timeoutMs} ms to process.`,
  };
}
