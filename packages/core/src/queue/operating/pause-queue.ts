import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { routeField } from "./route-field.ts";

/** Result of pausing. */
export interface PausedQueue {
  /** Whether the call paused it; false if it was paused already. */
  changed: boolean;
}

/**
 * Pauses delivery of all e-mails, or of one route's. Returns whether this changed anything. Attempts in progress are
 * finished.
 */
export const pauseQueue = useCase({
  access: "administrator",
  input: z.strictObject({
    route: routeField,
    reason: z
      .string()
      .max(500)
      .default("paused by an operator")
      .describe("The reason, shown in the queue's status."),
  }),
  async run({ storage, runtime, emit }, { route, reason }): Promise<PausedQueue> {
    const now = runtime.queueClock.now();
    const changed = await storage.emailQueue.park(
      { route, owner: "operator", until: undefined, reason },
      now,
    );
    if (changed) emit("queue.paused", { metadata: { route, reason } });
    return { changed };
  },
});
