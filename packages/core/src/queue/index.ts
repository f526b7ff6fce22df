import { checkRestored } from "./check-restored.ts";
import { getQueueStatus } from "./get-queue-status.ts";
import { pauseQueue } from "./pause-queue.ts";
import { resumeQueue } from "./resume-queue.ts";

/** The queue of e-mails, for operators. */
export const queue = {
  status: getQueueStatus,
  pause: pauseQueue,
  resume: resumeQueue,
  checkRestored,
} as const;
