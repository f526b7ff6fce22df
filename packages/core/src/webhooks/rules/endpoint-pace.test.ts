import { expect, test } from "vitest";
import { nextPace, paceOf, unknownPace } from "./endpoint-pace.ts";

test("an attempt's pace is that of its duration", () => {
  expect([0, 250, 251, 2_500, 2_501, 60_000].map(paceOf)).toEqual([0, 0, 1, 1, 2, 2]);
});

test("an endpoint becomes slow at once, and prompt a step at a time", () => {
  expect(nextPace(0, 10_000)).toBe(2);
  expect(nextPace(2, 5)).toBe(1);
  expect(nextPace(1, 5)).toBe(0);
  expect(nextPace(0, 5)).toBe(0);
  expect(nextPace(unknownPace, 5)).toBe(0);
});
