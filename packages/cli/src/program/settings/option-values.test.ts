import { expect, test } from "vitest";
import { moment } from "./option-values.ts";

test.each([
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2030-01-31T23:30:00-05:00", "2030-02-01T04:30:00.000Z"],
])("takes %s for the time that it is", (text, time) => {
  expect(new Date(moment(text)).toISOString()).toBe(time);
});

test.each(["2030-02-31", "2030-02-29T08:00:00Z", "2030-04-31T08:00", "2030-13-01", "2030-01-31T25:00:00Z"])(
  "refuses %s, which no calendar has, instead of taking it for a later day",
  (text) => {
    expect(() => moment(text)).toThrow("such as 2030-01-31T08:00:00Z");
  },
);
