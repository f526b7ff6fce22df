import { z } from "zod";
import { timeField } from "../../calls/input/time-fields.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import { deadlinePassed, scheduleFault } from "../submission/checks/check-times.ts";
import { type EmailView, findEmailOrThrow, viewStored } from "./email-view.ts";
import { notCancellable } from "./not-cancellable.ts";

/**
 * Reschedules an e-mail that still waits (platform.md P4). Throws `not_cancellable` if a worker has leased it or it is
 * settled, and `deadline_passed` for a time after its deadline. One that `when_limited` charged to a later hour is sent
 * in that hour at the earliest.
 */
export const rescheduleEmail = useCase({
  access: ["api_key", "emails:write"],
  refusals: ["deadline_passed", "not_cancellable"],
  input: z.strictObject({
    emailId: uuidField.describe("The e-mail's id, a UUID."),
    scheduledAt: timeField
      .nullable()
      .describe(
        "New time to send, ISO 8601 with an offset, at most 30 days ahead; null for now. For an e-mail that when_limited postponed, the hour that it was charged to begins first.",
      ),
  }),
  async run({ storage, workspace, runtime, emit, wake }, { emailId, scheduledAt }): Promise<EmailView> {
    const now = runtime.queueClock.now();
    const before = await findEmailOrThrow(storage, workspace.id, emailId, now);
    const { chargedHour = now } = (await storage.emails.history(emailId))?.origin ?? {};
    const at = Math.max(scheduledAt ?? now, now, chargedHour);
    const fault = scheduleFault(at, now);
    if (fault !== undefined) throw fieldError("scheduledAt", fault);
    const { deliverBefore } = before;
    if (deliverBefore !== undefined && deliverBefore <= at) throw deadlinePassed(deliverBefore);
    const isChanged = await storage.emails.reschedule(workspace.id, emailId, at, now);
    const email = await findEmailOrThrow(storage, workspace.id, emailId, now);
    if (!isChanged) throw notCancellable(email);
    const from = before.scheduledAt ?? before.createdAt;
    if (from !== at)
      emit("email.rescheduled", {
        metadata: {
          email_id: emailId,
          from: new Date(from).toISOString(),
          to: new Date(at).toISOString(),
        },
      });
    wake("emails");
    return viewStored(storage, email);
  },
});
