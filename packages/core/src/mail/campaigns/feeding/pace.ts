import type { Campaign, CampaignPlan } from "../../../ports/storage.ts";

const hourMs = 3_600_000;
const periods = { hour: hourMs, day: 24 * hourMs };

/**
 * Ms between two e-mails of a campaign at a given time: the longest interval that its pace or ramp requires, 0 if there
 * is neither. A ramp lets `first` e-mails through in the first hour or day, and `factor` times as many in each
 * following one.
 */
export function intervalAt(
  { pace, ramp }: Pick<CampaignPlan, "pace" | "ramp">,
  sinceStartMs: number,
): number {
  const perSecond = pace.perSecond === undefined ? 0 : 1000 / pace.perSecond;
  const perHour = pace.perHour === undefined ? 0 : hourMs / pace.perHour;
  return Math.max(perSecond, perHour, ramp === undefined ? 0 : rampInterval(ramp, sinceStartMs));
}

function rampInterval(
  { first, factor, every }: NonNullable<CampaignPlan["ramp"]>,
  sinceStartMs: number,
): number {
  const period = periods[every];
  const step = Math.max(0, Math.floor(sinceStartMs / period));
  // The cap is more e-mails than any service sends, so further steps change nothing.
  return period / Math.min(first * factor ** step, 1e9);
}

/** Time from which a ramp is counted: the start, moved by the duration of pauses. */
export const rampBegan = (
  { startedAt, pausedMs }: Pick<Campaign, "startedAt" | "pausedMs">,
  now: number,
): number => (startedAt ?? now) + pausedMs;

/**
 * Returns the stored next slot. If it is later than a pace that plans `aheadMs` ahead can produce, it came from a clock
 * that ran ahead, and the slot is now.
 */
export function believedSlot(
  plan: Pick<CampaignPlan, "pace" | "ramp">,
  {
    nextSlotAt,
    startedAt,
    now,
    aheadMs,
  }: { nextSlotAt: number; startedAt: number; now: number; aheadMs: number },
): number {
  const latest = now + aheadMs + intervalAt(plan, now + aheadMs - startedAt);
  return nextSlotAt > latest + 1_000 ? now : nextSlotAt;
}

/**
 * Computes up to `wanted` send times, one after the other from `nextSlotAt`, all before `until`. Time that passed
 * without an e-mail is not made up for.
 */
export function slotsFor(
  plan: Pick<CampaignPlan, "pace" | "ramp">,
  {
    nextSlotAt,
    startedAt,
    now,
    until,
    wanted,
  }: { nextSlotAt: number; startedAt: number; now: number; until: number; wanted: number },
): { slots: number[]; nextSlotAt: number } {
  const slots: number[] = [];
  let at = Math.max(now, nextSlotAt);
  while (slots.length < wanted && at < until) {
    slots.push(Math.round(at));
    at += intervalAt(plan, at - startedAt);
  }
  return { slots, nextSlotAt: Math.ceil(at) };
}

/** Maximum number of days that is reported. */
const maxDays = 10_000;

/**
 * Minimum number of days for so many e-mails under a plan's limits (0 for none), the pace and the ramp; 0 if nothing
 * limits them.
 */
export function daysAtLimits(
  plan: Pick<CampaignPlan, "pace" | "ramp">,
  recipients: number,
  { hourlyRateLimit, dailyRateLimit }: { hourlyRateLimit: number; dailyRateLimit: number },
): number {
  const limitOf = (limit: number): number => (limit > 0 ? limit : Number.POSITIVE_INFINITY);
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const capacityOf = (day: number): number => {
    const hourly = hours.map((hour) => hourMs / intervalAt(plan, (24 * day + hour) * hourMs));
    const total = hourly.reduce((sum, each) => sum + Math.min(limitOf(hourlyRateLimit), each), 0);
    return Math.min(limitOf(dailyRateLimit), total);
  };
  if (capacityOf(0) === Number.POSITIVE_INFINITY) return 0;
  let [days, left] = [0, recipients];
  for (; left > 0 && days < maxDays; days += 1) left -= capacityOf(days);
  return days;
}
