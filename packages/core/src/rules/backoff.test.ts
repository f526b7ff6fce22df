import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emailRetryDelay, webhookRetryDelay } from "./backoff.ts";

const middle = () => 0.5;
const HOUR = 3_600_000;
const ratio = fc.double({ min: 0, max: 1, noNaN: true });

describe("emailRetryDelay", () => {
  test("doubles from a minute to an hour", () => {
    const minutes = Array.from(
      { length: 9 },
      (_, i) => (emailRetryDelay(i + 1, { ageMs: 0, random: middle }) ?? 0) / 60_000,
    );
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("ends at 48 h", () => {
    expect(emailRetryDelay(50, { ageMs: 47 * HOUR, random: middle })).toBe(HOUR);
    expect(emailRetryDelay(50, { ageMs: 47 * HOUR + 1, random: middle })).toBeUndefined();
    expect(emailRetryDelay(1, { ageMs: 48 * HOUR, random: middle })).toBeUndefined();
  });

  test("jitters by a fifth at most, for any attempt", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), ratio, (attempt, r) => {
        const plain = emailRetryDelay(attempt, { ageMs: 0, random: middle }) ?? 0;
        const delay = emailRetryDelay(attempt, { ageMs: 0, random: () => r }) ?? 0;
        expect(Math.abs(delay - plain)).toBeLessThanOrEqual(plain * 0.2 + 1);
      }),
    );
  });
});

describe("webhookRetryDelay", () => {
  test("is 5 s × 6^(n−1), at most 10 h", () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 1000].map(
      (n) => webhookRetryDelay(n, { baseSecs: 5, random: middle }) / 1000,
    );
    expect(seconds).toEqual([5, 30, 180, 1080, 6480, 36000, 36000, 36000]);
  });

  test("honours a longer Retry-After, up to an hour, never a shorter one", () => {
    const delay = (n: number, retryAfterSecs: number) =>
      webhookRetryDelay(n, { baseSecs: 5, random: middle, retryAfterSecs });
    expect(delay(1, 120)).toBe(120_000);
    expect(delay(1, 1e9)).toBe(HOUR);
    expect(delay(3, 60)).toBe(180_000);
    expect(delay(6, 60)).toBe(36_000_000);
  });

  test("jitters by a fifth at most and never passes 10 h", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), ratio, (n, r) => {
        const plain = webhookRetryDelay(n, { baseSecs: 5, random: middle });
        const delay = webhookRetryDelay(n, { baseSecs: 5, random: () => r });
        expect(delay).toBeGreaterThanOrEqual(plain * 0.8 - 1);
        expect(delay).toBeLessThanOrEqual(Math.min(plain * 1.2 + 1, 10 * HOUR));
      }),
    );
  });
});
