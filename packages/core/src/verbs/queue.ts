// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { RestoredQueue } from "../queue/operating/check-restored.ts";
import type { QueueView } from "../queue/operating/get-queue-status.ts";
import type { PausedQueue } from "../queue/operating/pause-queue.ts";
import type { ResumedQueue } from "../queue/operating/resume-queue.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `pause` takes. */
export interface PauseQueueInput {
  /** The route's name, such as `w:7` for workspace 7. Default `*`, for all routes. */
  route?: string | undefined;
  /** The reason, shown in the queue's status. */
  reason?: string | undefined;
}

/** What `resume` takes. */
export interface ResumeQueueInput {
  /** The route's name, such as `w:7` for workspace 7. Default `*`, for all routes. */
  route?: string | undefined;
  /**
   * For a restored backup: cancels e-mails that fell due before this time, as they may have been sent since, and
   * pauses campaigns that were running then. ISO 8601 with an offset, a `Date` or ms since the epoch.
   */
  dropDueBefore?: string | Date | number | undefined;
}

/** The queue of e-mails, for operators. */
export interface QueueVerbs<K extends CallShapes = CallShapes> {
  /** Returns the queue's status: its size, the routes that are held and why, and the workers that deliver. */
  status(this: void, input?: NoInput, ...call: K["any"]): Promise<QueueView>;
  /**
   * Pauses delivery of all e-mails, or of one route's. Returns whether this changed anything. Attempts in progress
   * are finished.
   */
  pause(this: void, input?: PauseQueueInput, ...call: K["any"]): Promise<PausedQueue>;
  /**
   * Resumes delivery of all e-mails, or of one route's. Returns whether it was paused, and how many e-mails were
   * cancelled before.
   */
  resume(this: void, input?: ResumeQueueInput, ...call: K["any"]): Promise<ResumedQueue>;
  /**
   * Treats the database as a restored copy, for example of pg_restore: pauses all delivery until `resume`, assigns
   * none of the ids that the original may have assigned since, and returns how many e-mails wait. Call it before
   * anything delivers. Copies made by `posthorn backup` are paused already.
   */
  checkRestored(this: void, input?: NoInput, ...call: K["any"]): Promise<RestoredQueue>;
}
