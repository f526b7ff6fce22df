import { expect, test } from "vitest";
import { createAbandonment } from "./find-abandoned.ts";

const lease = 30_000;
const tenMinutes = 600_000;
const claim = (until: number) => ({ id: 1, worker: "w", until, leaseMs: lease });

test("a claim that expired before this process started is abandoned at once", () => {
  const find = createAbandonment();
  expect(find([claim(100)], { now: 99, monotonic: 0, isSteady: true })).toEqual([]);
  expect(createAbandonment()([claim(100)], { now: 100, monotonic: 0, isSteady: true })).toHaveLength(1);
});

test("a claim that is new to this process is not judged by a clock that just made a step", () => {
  const find = createAbandonment();
  expect(find([claim(100)], { now: tenMinutes, monotonic: 0, isSteady: false })).toEqual([]);
  expect(find([claim(100)], { now: tenMinutes, monotonic: lease, isSteady: false })).toHaveLength(1);
});

test("a step of the clock by ten minutes, either way, abandons no claim that is renewed", () => {
  for (const step of [tenMinutes, -tenMinutes]) {
    const find = createAbandonment();
    find([claim(lease)], { now: 0, monotonic: 0, isSteady: true });
    for (let passed = 5_000; passed <= 60_000; passed += 5_000) {
      const renewed = claim(lease + Math.floor(passed / 10_000) * 10_000);
      const moment = { now: passed + step, monotonic: passed, isSteady: false };
      expect(find([renewed], moment)).toEqual([]);
    }
  }
});

test("a step of the clock does not prolong a claim without renewals beyond its lease", () => {
  const find = createAbandonment();
  find([claim(tenMinutes)], { now: 0, monotonic: 0, isSteady: true });
  expect(find([claim(tenMinutes)], { now: 1, monotonic: lease - 1, isSteady: true })).toEqual([]);
  expect(find([claim(tenMinutes)], { now: 2, monotonic: lease, isSteady: true })).toHaveLength(1);
});
