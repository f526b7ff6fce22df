import { expect, test } from "vitest";
import { nextCheckAt, nextStatus } from "./domain-status.ts";

const hour = 3_600_000;
const day = 24 * hour;

test.each([
  ["pending", "good", "verified"],
  ["pending", "bad", "pending"],
  ["verified", "bad", "warning"],
  ["verified", "unknown", "verified"],
  ["warning", "unknown", "warning"],
  ["warning", "good", "verified"],
  ["failed", "bad", "failed"],
  ["failed", "good", "verified"],
] as const)("from %s a %s check leads to %s", (status, kind, next) => {
  expect(nextStatus({ status, statusSince: 0 }, { kind }, hour)).toBe(next);
});

test("72 hours of definite failures fail a domain, and not a moment less", () => {
  const before = { status: "warning", statusSince: 0 } as const;
  expect(nextStatus(before, { kind: "bad" }, 72 * hour - 1)).toBe("warning");
  expect(nextStatus(before, { kind: "unknown" }, 80 * hour)).toBe("warning");
  expect(nextStatus(before, { kind: "bad" }, 72 * hour)).toBe("failed");
});

test("a pending domain is checked 1, 5, 15 minutes and an hour after it was added, then every six hours for 30 days", () => {
  const times: number[] = [];
  for (let at: number | undefined = 0; at !== undefined; ) {
    const next: number | undefined = nextCheckAt({ status: "pending", createdAt: 0 }, at, 0.5);
    if (next !== undefined) times.push(next);
    at = next;
  }
  expect(times.slice(0, 6)).toEqual([60_000, 300_000, 900_000, hour, 7 * hour, 13 * hour]);
  expect(times.at(-1)).toBeLessThanOrEqual(30 * day);
  expect(times.at(-1)).toBeGreaterThan(30 * day - 6 * hour);
});

test("a pending one that was created by a clock that ran ahead is checked within six hours", () => {
  expect(nextCheckAt({ status: "pending", createdAt: 2 * day }, 0, 0.5)).toBe(6 * hour);
});

test("a verified one daily, give or take a tenth; one with a warning every six hours", () => {
  const next = (status: "verified" | "warning" | "failed", random: number) =>
    nextCheckAt({ status, createdAt: 0 }, 0, random);
  expect([next("verified", 0), next("verified", 0.5), next("failed", 0.5)]).toEqual([0.9 * day, day, day]);
  expect(next("warning", 0.9)).toBe(6 * hour);
});
