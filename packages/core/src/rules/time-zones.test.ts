import { expect, test } from "vitest";
import { isTimeZone } from "./time-zones.ts";

test.each(["UTC", "Europe/Paris", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Asia/Kolkata"])(
  "%s is a time zone",
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

test.each(["", "+02:00", "-0500", "+02", "UTC+2", "Mars/Base", "Europe", " UTC", "UTC\n", "x".repeat(100)])(
  "%j is not",
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);
