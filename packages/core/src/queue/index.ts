import { checkRestored } from "./operating/check-restored.ts";
import { getQueueStatus } from "./operating/get-queue-status.ts";
import { pauseQueue } from "./operating/pause-queue.ts";
import { resumeQueue } from "./operating/resume-queue.ts";

/** The queue of e-mails, for operators. */
export const queue = {
  status: getQueueStatus,
  pause: pauseQueue,
  resume: resumeQueue,
  checkRestored,
} as const;
