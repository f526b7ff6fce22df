import { describe, expect, test } from "vitest";
import { createPace } from "./create-pace.ts";

/**
 * Simulates a server that accepts so many messages per second, sent at the pace until all are accepted. In virtual
 * time.
 */
function simulate(perSecond: number, burst: number, messages: number) {
  const pace = createPace(undefined);
  let now = 1000;
  let tokens = burst;
  let filledAt = now;
  let refused = 0;
  for (let taken = 0; taken < messages; ) {
    now += Math.max(pace.delay(now), 1);
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    pace.take(now);
    if (tokens >= 1) {
      tokens -= 1;
      taken += 1;
      pace.accepted(now);
    } else {
      refused += 1;
      pace.limited(now);
    }
  }
  return { seconds: (now - 1000) / 1000, refused };
}

describe("a pace", () => {
  test.each([
    [14, 14, 1000],
    [1, 60, 300],
    [0.5, 1, 50],
    [200, 200, 5000],
  ])("finds the server's limit of %d a second (%d at once) and keeps to it", (perSecond, burst, messages) => {
    const { seconds, refused } = simulate(perSecond, burst, messages);
    expect(seconds).toBeLessThan((2 * messages) / perSecond);
    expect(refused).toBeLessThan(messages / 4);
  });

  test.each([0.1, 0.2, 0.3])(
    "is not that of a server which refuses %d of all at random, in whatever words",
    (share) => {
      const pace = createPace(undefined);
      let [now, seed, taken] = [1000, 1, 0];
      while (taken < 1000) {
        now += Math.max(pace.delay(now), 20);
        pace.take(now);
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
        if ((seed >>> 8) / 0x7fffff < share) pace.limited(now);
        else {
          pace.accepted(now);
          taken += 1;
        }
      }
      // It was an hour and more.
      expect(now).toBeLessThan(1_000_000);
      // It stops, which is no chance.
      const refusals = Array.from({ length: 20 }, (_, count) => pace.limited(now + 1000 * count));
      expect(refusals).toContain(true);
    },
  );

  test("only pauses while the server accepts nothing, and is one a second at most if that lasts", () => {
    const pace = createPace(undefined);
    for (let count = 0; count < 40; count += 1) pace.accepted(1000);
    expect([pace.limited(2000), pace.rate(), pace.delay(2000)]).toEqual([true, undefined, 980]);
    for (let count = 0; count < 2; count += 1) pace.accepted(3000);
    for (let second = 3; second < 13; second += 1) expect(pace.limited(second * 1000)).toBe(second % 2 === 1);
    expect([pace.rate(), pace.delay(11_000)]).toEqual([1.8, 980]);
    for (let second = 13; second < 60; second += 1) pace.limited(second * 1000);
    expect(pace.rate()).toBe(1);
    pace.accepted(60_000);
    pace.limited(63_000);
    expect(pace.rate()).toBeLessThan(1);
  });

  test("is what a server took in the minute before it stopped, and grows fast once it accepts again", () => {
    const pace = createPace(undefined);
    for (let count = 0; count < 600; count += 1) pace.accepted(1000);
    for (let second = 1; second < 181; second += 3) pace.limited(second * 1000);
    expect(pace.rate()).toBe(10);
    let taken = 0;
    for (let now = 182_000; now < 212_000; now += Math.max(1, pace.delay(now))) {
      pace.take(now);
      pace.accepted(now);
      taken += 1;
    }
    // Nearly a minute's in half of one.
    expect(taken).toBeGreaterThan(500);
  });

  test("is not lowered for what was refused before it was lowered", () => {
    const pace = createPace(undefined);
    pace.accepted(1000);
    expect(pace.limited(1000)).toBe(true);
    expect([pace.limited(9000, 999), pace.limited(9000, 8000)]).toEqual([false, true]);
    // The last of those that were refused together, accepted after a hold in which nothing was.
    expect([pace.limited(12_000, 9000), pace.limited(12_000, 9010)]).toEqual([false, false]);
  });

  test("is lowered to what was accepted when the message was refused, not in a pause since", () => {
    const pace = createPace(undefined);
    for (let count = 0; count < 14; count += 1) pace.accepted(1000);
    expect(pace.limited(3000, 1100)).toBe(true);
    expect(pace.rate()).toBeCloseTo(12.6);
    // Longer ago than it is remembered.
    for (let second = 4; second < 40; second += 1) pace.accepted(second * 1000);
    expect(pace.limited(60_000, 30_000)).toBe(true);
    expect(pace.rate()).toBeGreaterThan(4);
  });

  test("is unlimited until a limit is set", () => {
    const free = createPace(undefined);
    free.take(0);
    expect([free.delay(0), free.rate()]).toEqual([0, undefined]);
    const bound = createPace(4);
    bound.take(1000);
    expect([bound.delay(1000), bound.rate()]).toEqual([230, 4]);
  });
});
