/** Words for a queue without heartbeats. A worker that can't write, such as on a full disk, looks like one that ended. */
export const noWorker = "No worker reports.";

/** What to do then. */
export const noWorkerAdvice =
  "Start one: posthorn serve, or posthorn worker. If one runs, it can't write: posthorn doctor";
