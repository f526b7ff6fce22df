import { createHash } from "node:crypto";
import type { InlineRefusal } from "../inlining.ts";
import type { InlineJob } from "./inline-job.ts";

/** Remembers refused jobs, so that no thread computes them again. */
export interface RefusalMemory {
  find(job: InlineJob): InlineRefusal | undefined;
  /** Records a refusal; returns for how long it holds. */
  note(job: InlineJob, refusal: Omit<InlineRefusal, "retryAfterMs">): InlineRefusal;
}

const capacity = 500;
/** How long, in ms, a final refusal is remembered. */
const rememberedMs = 3_600_000;
/**
 * Ms until a job that ran out of time is tried again, as the machine may have been busy. After the last pause the
 * refusal is final.
 */
const pauses = [30_000, 120_000];

/** Creates a memory of refused jobs, by content. `now` returns ms of a monotonic clock. */
export function createRefusalMemory(now: () => number): RefusalMemory {
  const known = new Map<string, { refusal: InlineRefusal; until: number; timeouts: number }>();
  return {
    find(job) {
      const one = known.get(digestOf(job));
      if (one === undefined || one.until <= now()) return undefined;
      return withRest(one.refusal, one.until - now());
    },
    note(job, { ok, reason, message }) {
      const digest = digestOf(job);
      const timeouts = (known.get(digest)?.timeouts ?? 0) + (reason === "timeout" ? 1 : 0);
      const pause = reason === "timeout" ? pauses[timeouts - 1] : undefined;
      const refusal = { ok, reason, message, retryAfterMs: pause };
      known.delete(digest);
      known.set(digest, { refusal, until: now() + (pause ?? rememberedMs), timeouts });
      const [oldest] = known.keys();
      if (known.size > capacity && oldest !== undefined) known.delete(oldest);
      return refusal;
    },
  };
}

const withRest = (refusal: InlineRefusal, rest: number): InlineRefusal =>
  refusal.retryAfterMs === undefined ? refusal : { ...refusal, retryAfterMs: rest };

const digestOf = (job: InlineJob): string =>
  createHash("sha256").update(JSON.stringify(job)).digest("base64");
