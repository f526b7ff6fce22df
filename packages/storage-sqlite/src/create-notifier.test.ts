import { expect, onTestFinished, test, vi } from "vitest";
import { createNotifier } from "./create-notifier.ts";

test("the delay after a pause is never negative, of which Node would warn", () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const notifier = createNotifier({ dataVersion: () => 1, place: "create-notifier.test" });
  onTestFinished(() => {
    notifier.close();
    timers.mockRestore();
  });
  notifier.notify(["emails"]);
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([0]);
});

test("a version that can't be read for a while ends nothing, and what changes later is told", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const read = vi.fn(() => 1);
  const notifier = createNotifier({ dataVersion: read, place: "" });
  onTestFinished(notifier.close);
  const told = vi.fn();
  notifier.subscribe(told);
  read.mockImplementation(() => {
    throw new TypeError("This database connection is busy executing a query");
  });
  vi.advanceTimersByTime(2_000);
  expect(told).not.toHaveBeenCalled();
  read.mockReturnValue(2);
  vi.advanceTimersByTime(2_000);
  expect(told.mock.calls.flat()).toEqual(["emails", "webhooks", "events", "campaigns", "erasures"]);
});
