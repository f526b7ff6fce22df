import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLeases } from "./leases.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(renew: (items: readonly string[]) => Promise<string[]>) {
  const clock = { now: 0 };
  const complaints: unknown[] = [];
  const items = ["a", "b", "c"];
  const leases = createLeases<string>({ leaseMs: 3_000, renew }, () => items, {
    monotonic: () => clock.now,
    complain: (what) => (error) => void complaints.push([what, error]),
  });
  leases.take(items, leases.until());
  const pass = (ms: number) => {
    clock.now += ms;
    return vi.advanceTimersByTimeAsync(ms);
  };
  return { leases, complaints, pass, held: () => items.filter(leases.holds) };
}

test("a lease that is dropped while it is renewed stays so, and one that the storage does not have ends at once", async () => {
  let answer: (items: string[]) => void = () => {};
  const { leases, pass, held } = setUp(() => new Promise((resolve) => (answer = resolve)));
  const end = leases.keep();
  await pass(1_000);
  leases.drop("a");
  expect(held()).toEqual(["b", "c"]);
  answer(["a", "b"]);
  await end();
  expect(held()).toEqual(["b"]);
  await pass(2_999);
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
