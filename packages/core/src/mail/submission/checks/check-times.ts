import { fieldError, ServiceError } from "../../../errors.ts";
import type { Check } from "../email-draft.ts";

const maxAhead = 30 * 24 * 60 * 60 * 1000;

/**
 * Checks the times of a send by the database's clock, which delivery uses: not too far ahead, and a deadline that
 * leaves time to send.
 */
export const checkTimes: Check = ({ fields, reasons }, { runtime }) => {
  const { scheduledAt, deliverBefore } = fields;
  if (scheduledAt === undefined && deliverBefore === undefined) return;
  const now = runtime.queueClock.now();
  const fault = scheduleFault(scheduledAt, now);
  if (fault !== undefined) reasons.push(fieldError("scheduledAt", fault));
  if (deliverBefore === undefined) return;
  const begins = Math.max(now, scheduledAt ?? now);
  if (deliverBefore <= begins) reasons.push(deadlinePassed(deliverBefore));
  if (deliverBefore > begins + maxAhead)
    reasons.push(fieldError("deliverBefore", "is more than 30 days after the time to send"));
};

/** Returns the fault of a scheduled time, `undefined` if there is none. */
export const scheduleFault = (scheduledAt: number | undefined, now: number): string | undefined =>
  scheduledAt !== undefined && scheduledAt > now + maxAhead ? "is more than 30 days ahead" : undefined;

/** Makes the error for an e-mail that would be sent after its deadline. */
export const deadlinePassed = (deliverBefore: number): ServiceError =>
  new ServiceError("deadline_passed", { details: { deliver_before: new Date(deliverBefore).toISOString() } });
