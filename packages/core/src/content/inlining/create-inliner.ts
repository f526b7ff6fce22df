import { availableParallelism } from "node:os";
import { type Logger, silentLogger } from "../../ports/logger.ts";
import { createTurns } from "../../ports/turns.ts";
import type { InlineOwner, InlineRefusal, Inlining } from "../inlining.ts";
import {
  inlineIdleMs,
  inlineTimeoutMs,
  maxCssBytes,
  maxHtmlBytes,
  maxWaitingJobs,
  maxWaitingJobsEach,
} from "../rules/inliner-limits.ts";
import { createInlineThread, type InlineThread, type ThreadOutcome } from "./create-inline-thread.ts";
import { createRefusalMemory } from "./create-refusal-memory.ts";
import { findWorker } from "./find-worker.ts";
import type { InlineJob } from "./inline-job.ts";

/** Settings of an inliner. */
export type InlinerOptions = {
  /** Maximum ms of computation of a job, after which its thread is terminated. Default 2,000. */
  timeoutMs?: number;
  /** Maximum number of threads. Default: two if that leaves a core for the rest of the service, else one. */
  threads?: number;
  /** Ms without a job after which a thread is ended, unless it is lent. Default 15,000. */
  idleMs?: number;
  /** Monotonic clock in ms. */
  now?: () => number;
  /** Locates the worker's code. */
  find?: typeof findWorker;
  /** Opens a thread, or returns one that is reused. Default: opens it. */
  lend?: LendInlineThread;
  logger?: Logger;
};

/** Returns a thread, opened by the given function or lent. */
export type LendInlineThread = (open: () => InlineThread) => InlineThread;

type Outcome = { ok: true; output: string } | InlineRefusal;

/**
 * Creates an {@link Inlining} on worker threads, which start with the first job and do not keep the process alive when
 * idle.
 */
export function createInliner(options: InlinerOptions = {}): Inlining {
  const { now = () => performance.now() } = options;
  const memory = createRefusalMemory(now);
  const pool = createPool({ ...options, now });

  async function perform(job: InlineJob, owner: InlineOwner): Promise<Outcome> {
    const known = tooLarge(job) ?? memory.find(job);
    if (known) return known;
    const outcome = await pool.perform(job, owner);
    if (outcome.ok || outcome.reason === "busy" || outcome.reason === "unavailable") return outcome;
    return memory.note(job, outcome);
  }

  return {
    async inline({ html, css }, owner) {
      if (css.trim() === "" && !/<style/i.test(html)) return { ok: true, html };
      const outcome = await perform({ kind: "inline", html, css }, owner);
      return outcome.ok ? { ok: true, html: outcome.output } : outcome;
    },
    async checkStylesheet(css, owner) {
      const outcome = await perform({ kind: "check", css }, owner);
      return outcome.ok ? { ok: true } : outcome;
    },
    async toText(html, owner) {
      const outcome = await perform({ kind: "text", html }, owner);
      return outcome.ok ? { ok: true, text: outcome.output } : outcome;
    },
    close: pool.close,
  };
}

function tooLarge(job: InlineJob): InlineRefusal | undefined {
  if ("css" in job && Buffer.byteLength(job.css) > maxCssBytes) return sizeRefusal("CSS", maxCssBytes);
  if ("html" in job && Buffer.byteLength(job.html) > maxHtmlBytes) return sizeRefusal("html", maxHtmlBytes);
  return undefined;
}

const sizeRefusal = (what: string, limit: number): InlineRefusal => ({
  ok: false,
  reason: "too_large",
  message: `The ${what} is larger than ${limit / 1024} KiB.`,
  retryAfterMs: undefined,
});

const passing = (reason: "busy" | "unavailable", message: string, retryAfterMs: number): InlineRefusal => ({
  ok: false,
  reason,
  message,
  retryAfterMs,
});

const busy = () => passing("busy", "Too many contents wait to be processed.", 5_000);
const unavailable = () => passing("unavailable", "Contents can't be processed at the moment.", 30_000);

/** Creates the pool, which gives each idle thread the next job; jobs of one owner run one after another. */
function createPool({
  timeoutMs = inlineTimeoutMs,
  threads: most = availableParallelism() > 2 ? 2 : 1,
  idleMs = inlineIdleMs,
  find = findWorker,
  lend,
  logger = silentLogger,
  now,
}: InlinerOptions & { now: () => number }) {
  const room = {
    all: maxWaitingJobs,
    each: maxWaitingJobsEach,
    error: () => new Error("too many jobs wait"),
  };
  const turns = createTurns({ all: most, each: 1, room });
  const threads: InlineThread[] = [];
  const idle: InlineThread[] = [];
  let source: ReturnType<typeof findWorker> | undefined;
  let closed = false;

  /** Returns an idle thread, or a new one; none after the end, when one would start that nobody ends. */
  async function takeThread(): Promise<InlineThread | undefined> {
    if (closed) return undefined;
    const free = idle.pop();
    if (free) return free;
    source ??= find();
    const found = await source;
    if (found === undefined || closed) return undefined;
    const time = { timeoutMs, idleMs: lend === undefined ? idleMs : undefined, now };
    const open = () => createInlineThread(found, time);
    const thread = lend === undefined ? open() : lend(open);
    threads.push(thread);
    return thread;
  }

  function judge(outcome: ThreadOutcome): Outcome {
    if (outcome.ok) return outcome;
    const { reason, message } = outcome;
    if (reason !== "died") return { ok: false, reason, message, retryAfterMs: undefined };
    if (!closed) logger.error({ fault: message }, "the inlining worker failed");
    return unavailable();
  }

  async function outcomeOf(job: InlineJob): Promise<Outcome> {
    try {
      const thread = await takeThread();
      if (thread !== undefined) {
        const outcome = await thread.perform(job);
        idle.push(thread);
        return judge(outcome);
      }
      if (!closed)
        logger.error({}, "the inlining worker is missing: keep posthorn-inline-worker.js beside the package");
    } catch (error) {
      source = undefined;
      logger.error({ err: error }, "the inlining worker could not be loaded");
    }
    return unavailable();
  }

  return {
    async perform(job: InlineJob, owner: InlineOwner): Promise<Outcome> {
      const leave = await turns.enter(owner).catch(() => undefined);
      if (leave === undefined) return closed ? unavailable() : busy();
      const outcome = await outcomeOf(job);
      leave();
      return outcome;
    },
    async close(): Promise<void> {
      closed = true;
      turns.close(new Error("the inliner is closed"));
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
