import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPatience } from "./after-patience.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("patience ends after its time, once", () => {
  const run = vi.fn();
  afterPatience(1_000, run);
  vi.advanceTimersByTime(999);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test("of a time in which the process stood still, a quarter of the patience counts at most", () => {
  const run = vi.fn();
  afterPatience(1_000, run);
  // As Node does behind such a time: each timer that is due runs once, and what it sets waits anew.
  for (let stand = 0; stand < 3; stand += 1) {
    vi.runOnlyPendingTimers();
    expect(run).not.toHaveBeenCalled();
  }
  vi.runOnlyPendingTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

test("patience that is called off never ends, whatever has passed of it", () => {
  const run = vi.fn();
  const callOff = afterPatience(1_000, run);
  vi.advanceTimersByTime(600);
  callOff();
  vi.advanceTimersByTime(10_000);
  expect(run).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
