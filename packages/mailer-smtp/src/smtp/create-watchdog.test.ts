import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWatchdog } from "./create-watchdog.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("barks after the time of what is watched now, be it sooner or later than that before", () => {
  const bark = vi.fn();
  const watchdog = createWatchdog();
  watchdog.wake(100, () => bark("first"));
  vi.advanceTimersByTime(50);
  watchdog.rest();
  watchdog.wake(300, () => bark("longer"));
  vi.advanceTimersByTime(299);
  expect(bark).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(bark.mock.calls).toEqual([["longer"]]);
  watchdog.wake(1_000, () => bark("long"));
  watchdog.rest();
  watchdog.wake(10, () => bark("short"));
  vi.advanceTimersByTime(10);
  expect(bark.mock.calls).toEqual([["longer"], ["short"]]);
  vi.advanceTimersByTime(10_000);
  expect(bark).toHaveBeenCalledTimes(2);
});

test("uses one timer for all, and none once it has ended", () => {
  const bark = vi.fn();
  const watchdog = createWatchdog();
  for (let turn = 0; turn < 20; turn += 1) {
    watchdog.wake(1_000, bark);
    vi.advanceTimersByTime(3);
    watchdog.rest();
    expect(vi.getTimerCount()).toBe(1);
  }
  watchdog.wake(1_000, bark);
  watchdog.end();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(bark).not.toHaveBeenCalled();
});
