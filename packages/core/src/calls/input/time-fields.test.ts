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

const likeThis = "must be an ISO 8601 time such as 2030-01-31T08:00:00Z";
const orThese = `${likeThis}, a Date, or whole milliseconds since the epoch`;
const inSeconds = "is a time in seconds: give milliseconds, a Date or ISO 8601";

test.each([
  ["2030-01-31", likeThis],
  ["2030-01-31T12:00:00", likeThis],
  ["tomorrow", likeThis],
  ["9999-12-31T23:59:59-01:00", likeThis],
  ["0000-01-01T00:00:00+01:00", likeThis],
  [null, likeThis],
  [true, likeThis],
  [{ at: noon }, likeThis],
  [new Date(Number.NaN), "is an invalid Date"],
  [Number.NaN, orThese],
  [1.5, orThese],
  [1e300, orThese],
  // Later than any answer can name.
  [Number.MAX_SAFE_INTEGER, orThese],
  [new Date("+010000-01-01T00:00:00Z"), orThese],
  [new Date("-000001-12-31T00:00:00Z"), orThese],
  // As Temporal.Instant, and the times of libraries.
  [new (class Instant {})(), orThese],
  [noon / 1000, inSeconds],
  [noon / 1000 + 0.5, inSeconds],
])("%s is refused with what would be accepted in its place", (given, message) => {
  const { error } = timeField.safeParse(given);
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("a number that is no time in seconds is ms, as early as any", () => {
  for (const ms of [0, 5, 999_999_999, 10_000_000_000, -1_000_000_000]) expect(timeField.parse(ms)).toBe(ms);
  const early = new Date(1_500_000_000);
  expect(timeField.parse(early)).toBe(early.getTime());
});
