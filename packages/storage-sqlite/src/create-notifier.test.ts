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
