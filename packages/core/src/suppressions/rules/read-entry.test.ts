import { describe, expect, test } from "vitest";
import { columnKey, readEntry } from "./read-entry.ts";

const now = Date.UTC(2030, 0, 1);
const read = (fields: Record<string, string>) =>
  readEntry(Object.fromEntries(Object.entries(fields).map(([word, value]) => [columnKey(word), value])), now);

test("reads our own columns, with defaults for everything else", () => {
  expect(read({ email: " Ada <Ada@Example.com> " })).toEqual({
    address: "Ada@example.com",
    addressKey: "ada@example.com",
    scope: "*",
    reason: "",
    createdAt: now,
    expiresAt: undefined,
  });
  const full = {
    email: "@gone.example",
    scope: "news",
    reason: "x".repeat(600),
    created_at: "2026-01-31T08:00:00.000Z",
    expires_at: "2031-01-31T08:00:00+01:00",
  };
  expect(read(full)).toMatchObject({
    addressKey: "@gone.example",
    scope: "news",
    reason: "x".repeat(500),
    createdAt: Date.UTC(2026, 0, 31, 8),
    expiresAt: Date.UTC(2031, 0, 31, 7),
  });
});

// The header lines of each service's export.
test.each([
  [
    "Amazon SES",
    { EmailAddress: "a@b.example", Reason: "BOUNCE", LastUpdateTime: "2026-04-10T21:03:05.867000+00:00" },
  ],
  ["SendGrid", { status: "5.1.1", reason: "BOUNCE", email: "a@b.example", created: "1775854985" }],
  [
    "Postmark",
    {
      EmailAddress: "a@b.example",
      SuppressionReason: "BOUNCE",
      Origin: "Recipient",
      CreatedAt: "2026-04-10T21:03:05Z",
    },
  ],
  [
    "Mailgun",
    { address: "a@b.example", code: "550", error: "BOUNCE", created_at: "Fri, 10 Apr 2026 21:03:05 UTC" },
  ],
])("reads an export of %s", (_, line) => {
  const made = read(line);
  expect(made).toMatchObject({ addressKey: "a@b.example", reason: "BOUNCE", scope: "*" });
  expect("createdAt" in made && Math.floor(made.createdAt / 1000)).toBe(
    Date.UTC(2026, 3, 10, 21, 3, 5) / 1000,
  );
});

test("a time without a zone is UTC, and a start in the future is now", () => {
  expect(read({ email: "a@b.example", created_at: "2026-04-10 21:03:05" })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 10, 21, 3, 5),
  });
  expect(read({ email: "a@b.example", created_at: "2026-04-10T21:03:05" })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 10, 21, 3, 5),
  });
  expect(read({ email: "a@b.example", created_at: "2040-01-01" })).toMatchObject({ createdAt: now });
});

test.each([
  "Apr 10, 2026 9:03 PM",
  "10 April 2026 21:03",
  "10-Apr-2026 21:03",
  "Fri Apr 10 21:03:00 2026",
  "4/10/2026 9:03 PM",
  "2026/04/10 21:03",
])("%s is a time in UTC", (created_at) => {
  expect(read({ email: "a@b.example", created_at })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 10, 21, 3),
  });
});

test("a day with dots comes before its month, as wherever dots are written", () => {
  expect(read({ email: "a@b.example", created_at: "10.04.2026" })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 10),
  });
  expect(read({ email: "a@b.example", created_at: "24.4.2026 21:03:05" })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 24, 21, 3, 5),
  });
});

test.each([
  ["April 10, 2026, 21:03:05 (UTC+02:00)", 19],
  ["April 10, 2026, 21:03:05 (UTC-3:00)", 24],
  ["2026-04-10T21:03:05 (GMT+2)", 19],
  ["2026-04-10 21:03:05 (UTC)", 21],
  ["Fri, 10 Apr 2026 21:03:05 +0200 (CEST)", 19],
  ["2026-04-10T21:03:05+02:00 (Central European Summer Time)", 19],
  ["April 10, 2026 at 21:03:05 (UTC+02:00)", 19],
  ["10.04.2026 at 21:03:05 (UTC+02:00)", 19],
  ["2026-04-10 21:03:05+02", 19],
  ["2026-04-10 21:03:05 +02", 19],
  ["2026-04-10 21:03:05.000-03", 24],
])("the zone of %s counts", (created_at, hour) => {
  expect(read({ email: "a@b.example", created_at })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 10, hour, 3, 5),
  });
});

test("a time has at most 100 characters: those between which a date is found took the square of their number", () => {
  const created_at = `10 Apr 2026${",".repeat(90)}`;
  expect(read({ email: "a@b.example", created_at })).toEqual({ value: created_at, message: "is not a time" });
  expect(read({ email: "a@b.example", created_at: created_at.slice(0, 100) })).toMatchObject({
    createdAt: Date.UTC(2026, 3, 10),
  });
});

test("a reason that is too long is cut between two characters", () => {
  const reason = `${"x".repeat(499)}📪 full`;
  expect(read({ email: "a@b.example", reason })).toMatchObject({ reason: "x".repeat(499) });
});

describe("a line is skipped, with its fault,", () => {
  test.each([
    [{ email: "ada" }, "ada"],
    [{ email: "" }, ""],
    [{ reason: "x" }, ""],
    [{ email: "a@b.example", scope: "Big News" }, "Big News"],
    [{ email: "a@b.example", created_at: "yesterday" }, "yesterday"],
    [{ email: "a@b.example", expires_at: "soon" }, "soon"],
    [{ email: "a@b.example", expires_at: "2029-12-31" }, "2029-12-31"],
    [{ email: "a@b.example", expires_at: "2031-02-29" }, "2031-02-29"],
    [{ email: "a@b.example", expires_at: "2031-04-31T10:00:00Z" }, "2031-04-31T10:00:00Z"],
    [{ email: "a@b.example", expires_at: "April 31, 2031" }, "April 31, 2031"],
    [{ email: "a@b.example", expires_at: "2/30/2031 9:03 PM" }, "2/30/2031 9:03 PM"],
    [{ email: "a@b.example", expires_at: "2031/04/31" }, "2031/04/31"],
    [{ email: "a@b.example", expires_at: "31.04.2031" }, "31.04.2031"],
    [
      { email: "a@b.example", expires_at: "Thu, 31 Apr 2031 23:30:00 -0200" },
      "Thu, 31 Apr 2031 23:30:00 -0200",
    ],
    [{ email: "a@b.example", expires_at: "47849" }, "47849"],
    // Of the year 10000 in UTC.
    [{ email: "a@b.example", expires_at: "9999-12-31T23:59:59-01:00" }, "9999-12-31T23:59:59-01:00"],
    [{ email: "a@b.example", created_at: "5" }, "5"],
    [{ email: "a@b.example", created_at: "Fri, 10 Apr 2026 21:03 CEST" }, "Fri, 10 Apr 2026 21:03 CEST"],
    [{ email: "a@b.example", created_at: "10 Apr 2026 21:03 (CEST)" }, "10 Apr 2026 21:03 (CEST)"],
  ])("%j", (line, value) => {
    expect(read(line)).toEqual({ value, message: expect.any(String) });
  });
});
