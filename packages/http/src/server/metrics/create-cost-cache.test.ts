import { expect, test, vi } from "vitest";
import { createCostCache } from "./create-cost-cache.ts";

/** A read that takes the given ms on a fake clock. */
function make(costs: number) {
  const clock = { at: 0 };
  const ask = vi.fn(async () => {
    clock.at += costs;
    return clock.at;
  });
  return { clock, ask, spare: createCostCache(ask, () => clock.at) };
}

test("runs an expensive query so rarely that it takes a hundredth of the time", async () => {
  const { clock, ask, spare } = make(80);
  for (let second = 0; second < 100; second += 1) {
    await spare();
    clock.at += 1_000;
  }
  // 80 ms in every 8 s.
  expect(ask.mock.calls.length).toBeLessThanOrEqual(13);
  expect(ask.mock.calls.length).toBeGreaterThanOrEqual(11);
});

test("runs a cheap query each time, and a very expensive one once a minute", async () => {
  const cheap = make(1);
  for (let call = 0; call < 5; call += 1) await cheap.spare();
  expect(cheap.ask).toHaveBeenCalledTimes(5);
  const dear = make(10_000);
  await dear.spare();
  dear.clock.at += 59_000;
  await dear.spare();
  expect(dear.ask).toHaveBeenCalledTimes(1);
  dear.clock.at += 1_000;
  await dear.spare();
  expect(dear.ask).toHaveBeenCalledTimes(2);
});

test("concurrent callers share one answer, and a failure is not cached", async () => {
  const ask = vi.fn(async () => "all");
  const spare = createCostCache(ask, () => 0);
  expect(await Promise.all([spare(), spare(), spare()])).toEqual(["all", "all", "all"]);
  expect(ask).toHaveBeenCalledTimes(1);
  ask.mockRejectedValueOnce(new Error("away"));
  await expect(spare()).rejects.toThrow("away");
  expect(await spare()).toBe("all");
});
