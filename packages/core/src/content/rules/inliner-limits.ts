/** Maximum CSS of one inlining, all stylesheets joined, in UTF-8 bytes. */
export const maxCssBytes = 256 * 1024;

/** Maximum rules of one inlining, including those inside at-rules. */
export const maxCssRules = 2_000;

/** Maximum html before inlining, in UTF-8 bytes. */
export const maxHtmlBytes = 512 * 1024;

/** Maximum nesting depth of elements. */
export const maxHtmlDepth = 256;

/** Maximum html after inlining, in UTF-8 bytes. */
export const maxInlinedBytes = 2 * 1024 * 1024;

/** Maximum computation of a job in ms of its thread's CPU time, after which the thread is terminated. */
export const inlineTimeoutMs = 2_000;

/** Maximum duration of a job in ms, after which the thread is terminated, whatever it computed. */
export const inlineStuckMs = 30_000;

/** Heap limit of the worker in MiB. */
export const inlineHeapMib = 128;

/** Limit of the worker's young generation in MiB: a larger one is no faster, and takes 40 MiB more. */
export const inlineYoungMib = 24;

/** Ms without a job after which a worker is ended. Starting another takes some 0.3 s of CPU, an idle one 40 to 60 MiB. */
export const inlineIdleMs = 15_000;

/** Ms within which a worker must have started. */
export const inlineStartMs = 30_000;

/** Maximum waiting jobs of one workspace. */
export const maxWaitingJobsEach = 64;

/** Maximum waiting jobs in total. */
export const maxWaitingJobs = 2_000;
