/** Largest CSS of one inlining, all stylesheets joined, in UTF-8 bytes. */
export const MAX_CSS_BYTES = 256 * 1024;

/** Most rules of one inlining, those inside at-rules included. */
export const MAX_CSS_RULES = 2_000;

/** Largest html before inlining, in UTF-8 bytes. */
export const MAX_HTML_BYTES = 512 * 1024;

/** Deepest nesting of elements. */
export const MAX_HTML_DEPTH = 256;

/** Largest html after inlining, in UTF-8 bytes. */
export const MAX_INLINED_BYTES = 2 * 1024 * 1024;

/** A job that computes longer is ended with its worker, in milliseconds of the thread's own. */
export const INLINE_TIMEOUT_MS = 2_000;

/** A job that isn't done by then is ended with its worker, whatever it computed, in milliseconds. */
export const INLINE_STUCK_MS = 30_000;

/** Heap of the worker, in MiB. */
export const INLINE_HEAP_MIB = 128;

/** A worker that does nothing for this long after its start has failed, in milliseconds. */
export const INLINE_START_MS = 30_000;

/** Most jobs of one workspace that wait. */
export const MAX_WAITING_JOBS_EACH = 64;

/** Most jobs that wait. */
export const MAX_WAITING_JOBS = 2_000;
