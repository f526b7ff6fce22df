import { z } from "zod";
import { timeField } from "../../calls/input/time-fields.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import { everyRoute, restoredCopyFact } from "../../ports/storage.ts";
import { dropDue } from "./drop-due.ts";
import { routeField } from "./route-field.ts";

/** Result of resuming. */
export interface ResumedQueue {
  /** Whether it was paused. */
  changed: boolean;
  /** Number of e-mails that `dropDueBefore` cancelled. */
  dropped: number;
}

/**
 * Resumes delivery of all e-mails, or of one route's. Returns whether it was paused, and how many e-mails were
 * cancelled before.
 */
export const resumeQueue = useCase({
  access: "administrator",
  input: z
    .strictObject({
      route: routeField,
      dropDueBefore: timeField
        .optional()
        .describe(
          "For a restored backup: cancels e-mails that fell due before this time, as they may have been sent since, and pauses campaigns that were running then. ISO 8601 with an offset.",
        ),
    })
    .refine(({ route, dropDueBefore }) => dropDueBefore === undefined || route === everyRoute, {
      path: ["dropDueBefore"],
      message: "can only be given for all routes",
    }),
  async prepare(context, { dropDueBefore }): Promise<number> {
    if (dropDueBefore === undefined) return 0;
    const { storage, runtime, caller, client } = context;
    const parked = await storage.emailQueue.parked(runtime.queueClock.now());
    if (!parked.some(({ route, until }) => route === everyRoute && until === undefined))
      throw fieldError("dropDueBefore", "needs a paused queue: pause it first");
    return dropDue(context, dropDueBefore, { caller, clientIp: client.ip });
  },
  async run({ storage, emit, wake }, { route }, dropped): Promise<ResumedQueue> {
    // A server is tried at once. A paused campaign is its workspace's, which resumes it.
    const changed = await storage.emailQueue.unpark(route, ["operator", "server"]);
    if (!changed) return { changed, dropped };
    if (route === everyRoute) await storage.operations.forgetFact(restoredCopyFact);
    emit("queue.resumed", { metadata: { route, dropped } });
    wake("emails");
    wake("campaigns");
    return { changed, dropped };
  },
});
