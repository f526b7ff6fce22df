import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { stopTime } from "../../../test/pass-time.ts";
import { createWatchdog } from "./create-watchdog.ts";

beforeEach(stopTime);

const pass = async (ms: number): Promise<void> => {
  vi.advanceTimersByTime(ms);
  await turn();
};

test("fires after the current time-out, whether shorter or longer than the previous one", async () => {
  const bark = vi.fn();
  const watchdog = createWatchdog();
  watchdog.wake(100, () => bark("first"));
  await pass(50);
  watchdog.rest();
  watchdog.wake(300, () => bark("longer"));
  await pass(299);
  expect(bark).not.toHaveBeenCalled();
  await pass(1);
  expect(bark.mock.calls).toEqual([["longer"]]);
  watchdog.wake(1_000, () => bark("long"));
  watchdog.rest();
  watchdog.wake(10, () => bark("short"));
  await pass(10);
  expect(bark.mock.calls).toEqual([["longer"], ["short"]]);
  await pass(10_000);
  expect(bark).toHaveBeenCalledTimes(2);
});

test("replies that arrived in time are read before it fires, even if the process was suspended", async () => {
  const bark = vi.fn();
  const watchdog = createWatchdog();
  watchdog.wake(100, () => bark("first"));
  vi.advanceTimersByTime(60_000);
  watchdog.rest();
  watchdog.wake(100, () => bark("next"));
  await turn();
  expect(bark).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  watchdog.end();
  await turn();
  expect(bark).not.toHaveBeenCalled();
});

test("uses one timer for all, and none once it has ended", async () => {
  const bark = vi.fn();
  const watchdog = createWatchdog();
  for (let round = 0; round < 20; round += 1) {
    watchdog.wake(1_000, bark);
    await pass(3);
    watchdog.rest();
    expect(vi.getTimerCount()).toBe(1);
  }
  watchdog.wake(1_000, bark);
  watchdog.end();
  expect(vi.getTimerCount()).toBe(0);
  await pass(2_000);
  expect(bark).not.toHaveBeenCalled();
});
