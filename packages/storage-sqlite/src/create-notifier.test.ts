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

test("storages that share memory hear each other's topics, not their own again, and nothing once closed", async () => {
  const memory = new SharedArrayBuffer(64);
  const open = () => {
    const notifier = createNotifier({ dataVersion: () => 1, place: "create-notifier.test", memory });
    const told: string[] = [];
    notifier.subscribe((topic) => told.push(topic));
    onTestFinished(notifier.close);
    return { notifier, told };
  };
  const [one, other, closed] = [open(), open(), open()];
  one.notifier.notify(["emails", "events"]);
  closed.notifier.close();
  await expect.poll(() => other.told).toEqual(["emails", "events"]);
  other.notifier.notify(["campaigns"]);
  await expect.poll(() => one.told).toEqual(["emails", "events", "campaigns"]);
  // What came after a wait is waited for again.
  one.notifier.notify(["webhooks"]);
  await expect.poll(() => other.told).toEqual(["emails", "events", "campaigns", "webhooks"]);
  expect(one.told).toEqual(["emails", "events", "campaigns", "webhooks"]);
  expect(closed.told).toEqual([]);
});

test("memory for turns alone leaves the signals to a channel", async () => {
  const memory = new SharedArrayBuffer(4);
  const [one, other] = [1, 2].map(() =>
    createNotifier({ dataVersion: () => 1, place: "create-notifier.test of turns", memory }),
  );
  onTestFinished(() => {
    one?.close();
    other?.close();
  });
  const told: string[] = [];
  other?.subscribe((topic) => told.push(topic));
  one?.notify(["erasures"]);
  await expect.poll(() => told).toEqual(["erasures"]);
});
