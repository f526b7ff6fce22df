import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { routeField } from "./route-field.ts";

/** What came of pausing. */
export interface PausedQueue {
  /** Whether it was not paused already. */
  changed: boolean;
}

/** Pauses the delivery of all e-mails, or of one route's, and returns whether that changed anything. Attempts in progress are finished. */
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
    const parked = await storage.emailQueue.parked(now);
    if (parked.some((one) => one.route === route && one.until === undefined)) return { changed: false };
    await storage.emailQueue.park({ route, until: undefined, reason }, now);
    emit("queue.paused", { metadata: { route } });
    return { changed: true };
  },
});
