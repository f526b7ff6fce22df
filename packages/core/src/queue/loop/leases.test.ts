import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createLeases } from "./leases.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(renew: (items: readonly string[]) => Promise<string[]>) {
  const clock = createFixedClock();
  const complaints: unknown[] = [];
  const items = ["a", "b", "c"];
  const leases = createLeases<string>({ leaseMs: 3_000, renew }, () => items, {
    clock: { monotonic: clock.monotonic, machine: clock.now },
    complain: (what) => (error) => void complaints.push([what, error]),
  });
  leases.take(items, leases.until());
  const pass = (ms: number) => {
    clock.advance(ms);
    return vi.advanceTimersByTimeAsync(ms);
  };
  return { leases, clock, complaints, pass, held: () => items.filter(leases.holds) };
}

test("a lease that is dropped while it is renewed stays so, and one that the storage does not have ends at once", async () => {
  let answer: (items: string[]) => void = () => {};
  const { leases, pass, held } = setUp(() => new Promise((resolve) => (answer = resolve)));
  const end = leases.keep();
  await pass(1_000);
  leases.drop("a");
  expect(held()).toEqual(["b", "c"]);
  await pass(500);
  answer(["a", "b"]);
  await end();
  expect(held()).toEqual(["b"]);
  // Counted from before the storage was asked.
  await pass(2_499);
  expect(held()).toEqual(["b"]);
  await pass(1);
  expect(held()).toEqual([]);
});

test("a renewal that fails is told, and tried again a second later, until the leases are no longer kept", async () => {
  const fault = new Error("down");
  const renew = vi
    .fn(async (items: readonly string[]) => [...items])
    .mockRejectedValueOnce(fault)
    .mockResolvedValueOnce(["a", "b", "c"])
    .mockRejectedValue(fault);
  const { leases, complaints, pass, held } = setUp(renew);
  const end = leases.keep();
  await pass(1_000);
  expect(complaints).toEqual([["renewing", fault]]);
  await pass(999);
  expect(renew).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(renew).toHaveBeenCalledTimes(2);
  await pass(1_999);
  expect(held()).toEqual(["a", "b", "c"]);
  await end();
  const { length } = renew.mock.calls;
  await pass(3_000);
  expect(renew).toHaveBeenCalledTimes(length);
});

test("a machine that slept for longer than the leases holds none of them until they are renewed", async () => {
  const { leases, clock, pass, held } = setUp(async () => ["b"]);
  const end = leases.keep();
  // On Linux, the monotonic clock stands still meanwhile, and with it the timer of the renewals.
  clock.step(2_999);
  expect(held()).toEqual(["a", "b", "c"]);
  clock.step(1);
  expect(held()).toEqual([]);
  await pass(1_000);
  expect(held()).toEqual(["b"]);
  clock.step(-60_000);
  expect(held()).toEqual(["b"]);
  await end();
});
