import { expect, test } from "vitest";
import { timeZoneNamed } from "./time-zones.ts";

test.each(["UTC", "Europe/Paris", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Asia/Kolkata"])(
  "%s is a time zone",
  (name) => {
    expect(timeZoneNamed(name)).toBe(name);
  },
);

test.each(["", "+02:00", "-0500", "+02", "UTC+2", "Mars/Base", "Europe", " UTC", "UTC\n", "x".repeat(100)])(
  "%j is not",
  (name) => {
    expect(timeZoneNamed(name)).toBeUndefined();
  },
);

test.each([
  ["utc", "UTC"],
  ["europe/PARIS", "Europe/Paris"],
  ["etc/gmt+5", "Etc/GMT+5"],
  ["asia/kolkata", "Asia/Kolkata"],
  ["america/argentina/buenos_aires", "America/Argentina/Buenos_Aires"],
  ["CET", "CET"],
  ["US/Pacific", "US/Pacific"],
])("%s is kept as %s", (name, kept) => expect(timeZoneNamed(name)).toBe(kept));
