import { describe, expect, test } from "vitest";
import { believedSlot, daysAtLimits, intervalAt, slotsFor } from "./pace.ts";

const free = { pace: { perSecond: undefined, perHour: undefined }, ramp: undefined };
const hour = 3_600_000;

describe("the pace of a campaign", () => {
  test("is that of the slowest rule, and unlimited without one", () => {
    expect(intervalAt(free, 0)).toBe(0);
    expect(intervalAt({ ...free, pace: { perSecond: 10, perHour: undefined } }, 0)).toBe(100);
    expect(intervalAt({ ...free, pace: { perSecond: 10, perHour: 3_600 } }, 0)).toBe(1_000);
  });

  test("grows by the factor with each period of a ramp", () => {
    const ramp = { ...free, ramp: { first: 100, factor: 2, every: "hour" as const } };
    expect([0, hour - 1, hour, 2 * hour].map((at) => intervalAt(ramp, at))).toEqual([
      36_000, 36_000, 18_000, 9_000,
    ]);
    expect(intervalAt(ramp, 10_000 * hour)).toBeGreaterThan(0);
  });

  test("gives each e-mail its time, and continues after the last ones", () => {
    const plan = { ...free, pace: { perSecond: 2, perHour: undefined } };
    const first = slotsFor(plan, { nextSlotAt: 0, startedAt: 1_000, now: 1_000, until: 2_600, wanted: 10 });
    expect(first).toEqual({ slots: [1_000, 1_500, 2_000, 2_500], nextSlotAt: 3_000 });
    const next = slotsFor(plan, { nextSlotAt: 3_000, startedAt: 1_000, now: 2_000, until: 9_000, wanted: 2 });
    expect(next).toEqual({ slots: [3_000, 3_500], nextSlotAt: 4_000 });
  });

  test("estimates in how many days all are sent, by limits, pace and ramp", () => {
    const none = { hourlyRateLimit: 0, dailyRateLimit: 0 };
    expect(daysAtLimits(free, 1_000_000, none)).toBe(0);
    expect(daysAtLimits(free, 1_001, { ...none, dailyRateLimit: 500 })).toBe(3);
    expect(daysAtLimits(free, 241, { dailyRateLimit: 500, hourlyRateLimit: 10 })).toBe(2);
    expect(daysAtLimits({ ...free, pace: { perSecond: 0.01, perHour: undefined } }, 1_729, none)).toBe(3);
    const daily = { ...free, ramp: { first: 100, factor: 2, every: "day" as const } };
    // 100, 200, 400, 800, 1,600
    expect([100, 101, 3_100, 3_101].map((count) => daysAtLimits(daily, count, none))).toEqual([1, 2, 5, 6]);
    const hourly = { ...free, ramp: { first: 1, factor: 2, every: "hour" as const } };
    expect(daysAtLimits(hourly, 2 ** 24 - 1, none)).toBe(1);
    expect(daysAtLimits({ ...daily, ramp: { ...daily.ramp, first: 1, factor: 1 } }, 1e6, none)).toBe(10_000);
  });

  test("does not make up for lost time", () => {
    const plan = { ...free, pace: { perSecond: 1, perHour: undefined } };
    const late = slotsFor(plan, { nextSlotAt: 1_000, startedAt: 0, now: 60_000, until: 62_000, wanted: 10 });
    expect(late.slots).toEqual([60_000, 61_000]);
    expect(slotsFor(free, { nextSlotAt: 0, startedAt: 0, now: 5, until: 10, wanted: 3 }).slots).toEqual([
      5, 5, 5,
    ]);
  });

  test("ignores a next slot so late that only a fast clock can have set it", () => {
    const slow = { ...free, pace: { perSecond: 0.01, perHour: undefined } };
    const at = (nextSlotAt: number) =>
      believedSlot(slow, { nextSlotAt, startedAt: 0, now: hour, aheadMs: 60_000 });
    expect(at(hour - 5)).toBe(hour - 5);
    expect(at(hour + 159_000)).toBe(hour + 159_000);
    expect(at(2 * hour)).toBe(hour);
  });
});
