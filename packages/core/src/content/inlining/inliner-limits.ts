/** Largest CSS of one inlining, all stylesheets joined, in UTF-8 bytes. */
export const maxCssBytes = 256 * 1024;

/** Most rules of one inlining, those inside at-rules included. */
export const maxCssRules = 2_000;

/** Largest html before inlining, in UTF-8 bytes. */
export const maxHtmlBytes = 512 * 1024;

/** Deepest nesting of elements. */
export const maxHtmlDepth = 256;

/** Largest html after inlining, in UTF-8 bytes. */
export const maxInlinedBytes = 2 * 1024 * 1024;

/** A job that computes longer is ended with its worker, in milliseconds of the thread's own. */
export const inlineTimeoutMs = 2_000;

/** A job that isn't done by then is ended with its worker, whatever it computed, in milliseconds. */
export const inlineStuckMs = 30_000;

/** Heap of the worker, in MiB. */
export const inlineHeapMib = 128;

/** A worker that does nothing for this long after its start has failed, in milliseconds. */
export const inlineStartMs = 30_000;

/** Most jobs of one workspace that wait. */
export const maxWaitingJobsEach = 64;

/** Most jobs that wait. */
export const maxWaitingJobs = 2_000;
