import type { InlineThread } from "../content/inlining/create-inline-thread.ts";

/** Threads that closed services have left. */
const idle: InlineThread[] = [];

/**
 * Lends a thread that a closed service has left, or opens one: loading its libraries takes far longer than most jobs,
 * and a job leaves nothing behind. One that is closed during a job is ended.
 */
export function lendInlineThread(open: () => InlineThread): InlineThread {
  const thread = idle.pop() ?? open();
  let underWay = 0;
  let isLent = true;
  return {
    async perform(job) {
      underWay += 1;
      try {
        return await thread.perform(job);
      } finally {
        underWay -= 1;
      }
    },
    async close() {
      if (underWay > 0) return await thread.close();
      if (isLent) idle.push(thread);
      isLent = false;
    },
  };
}
