import { expect, test } from "vitest";
import { timeField, timeOrDayField } from "./time-fields.ts";

const noon = Date.UTC(2030, 0, 31, 12);

test("a time may be a string, a Date or ms since the epoch, and becomes ms", () => {
  for (const given of ["2030-01-31T13:00:00+01:00", new Date(noon), noon]) {
    expect(timeField.parse(given)).toBe(noon);
    expect(timeOrDayField.parse(given)).toBe(noon);
  }
  expect(timeOrDayField.parse("2030-01-31")).toBe(Date.UTC(2030, 0, 31));
  for (const text of ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
    expect(timeField.parse(new Date(text))).toBe(timeField.parse(text));
});

test.each([
  "2030-01-31",
  "2030-01-31T12:00:00",
  "tomorrow",
  new Date(Number.NaN),
  Number.NaN,
  1.5,
  1e300,
  // Later than any answer can name.
  Number.MAX_SAFE_INTEGER,
  "9999-12-31T23:59:59-01:00",
  "0000-01-01T00:00:00+01:00",
  new Date("+010000-01-01T00:00:00Z"),
  new Date("-000001-12-31T00:00:00Z"),
  null,
  true,
])("%s is refused with an example of an accepted value", (given) => {
  const { error } = timeField.safeParse(given);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    "must be an ISO 8601 time such as 2030-01-31T08:00:00Z",
  ]);
});
