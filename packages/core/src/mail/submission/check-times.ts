import { fieldError, ServiceError } from "../../errors.ts";
import type { Check } from "./email-draft.ts";

const maxAhead = 30 * 24 * 60 * 60 * 1000;

/** The times of a send: not too far ahead, and a deadline that leaves time to send. By the database's clock, as delivery goes by it. */
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

/** The fault of a time to send at, `undefined` for none. */
export const scheduleFault = (scheduledAt: number | undefined, now: number): string | undefined =>
  scheduledAt !== undefined && scheduledAt > now + maxAhead ? "is more than 30 days ahead" : undefined;

/** Says that an e-mail would be sent when it may not be any more. */
export const deadlinePassed = (deliverBefore: number): ServiceError =>
  new ServiceError("deadline_passed", { details: { deliver_before: new Date(deliverBefore).toISOString() } });
