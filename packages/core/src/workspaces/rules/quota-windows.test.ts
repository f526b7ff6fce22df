import fc from "fast-check";
import { expect, test } from "vitest";
import { dayWindow, hourWindow } from "./quota-windows.ts";

test("windows are clock hours and days of UTC", () => {
  const now = Date.parse("2024-02-29T23:59:59.999Z");
  expect(hourWindow(now)).toEqual({
    start: Date.parse("2024-02-29T23:00:00Z"),
    resetsAt: Date.parse("2024-03-01T00:00:00Z"),
  });
  expect(dayWindow(now)).toEqual({
    start: Date.parse("2024-02-29T00:00:00Z"),
    resetsAt: Date.parse("2024-03-01T00:00:00Z"),
  });
  expect(hourWindow(now + 1).start).toBe(hourWindow(now).resetsAt);
});

test("every instant is in exactly the window of its UTC date", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (now) => {
      const date = new Date(now);
      expect(dayWindow(now).start).toBe(
        Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()),
      );
      expect(hourWindow(now).start).toBe(new Date(now).setUTCMinutes(0, 0, 0));
    }),
  );
});
