import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { type FrameSize, queueFrame } from "./queue-frame.ts";
import { type Look, ratesOf } from "./rates.ts";

const now = Date.parse("2030-01-31T08:00:00Z");
const ago = (seconds: number): string => new Date(now - seconds * 1_000).toISOString();
const totals = { accepted: 10, delivered: 8, deferred: 1, bounced: 1, complained: 0, suppressed: 0 };
const route = (name: string, holds: Look["queue"]["routes"][number]["holds"] = []) => ({
  route: name,
  workspace_id: 7,
  due: 1_200,
  waiting: 3,
  leased: 16,
  oldest_due_at: ago(12),
  holds,
});
const failure = (at: number) => ({
  email_id: `0198c1d2-7f3a-7000-8000-5f0e6a1b2c0${at}`,
  workspace_id: 7,
  type: "email.bounced" as const,
  at: ago(at),
  reason: "550 5.1.1 no such user here, \u202esaid a server that likes to explain itself at length",
});
const queue: Look["queue"] = {
  due: 1_200,
  waiting: 3,
  leased: 16,
  oldest_due_at: ago(12),
  paused: false,
  paused_at: null,
  paused_reason: null,
  restored_from: null,
  workers: [{ id: "worker one", seen_at: ago(1) }],
  routes: [
    route("s:7:12-0", [{ owner: "server", reason: "421 come back later", until: ago(-30) }]),
    ...Array.from({ length: 40 }, (_, at) => route(`w:${at + 1}`)),
  ],
  webhooks: { pending: 0, oldest_due_at: null, endpoints: [] },
  totals,
  failures: [1, 2, 3, 4, 5, 6, 7].map(failure),
};
const frameOf = (size: FrameSize, over: Partial<Look["queue"]> = {}): string[] =>
  queueFrame(
    {
      queue: { ...queue, ...over },
      rates: undefined,
      now,
      place: "The database ./posthorn.db",
      advice: "Start one: posthorn dev",
    },
    size,
  ).map((line) => stripVTControlCharacters(line));

test.each([
  { columns: 80, rows: 23 },
  { columns: 200, rows: 60 },
  { columns: 60, rows: 11 },
  { columns: 80, rows: 2 },
])("a frame of $columns columns and $rows lines is never larger, and says what is omitted", (size) => {
  const lines = frameOf(size);
  expect(lines.length).toBeLessThanOrEqual(size.rows);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
  if (size.rows > 2) expect(lines.join("\n")).toMatch(/s:7:12-0 +1,200.* 12 s/);
  if (size.rows > 2 && size.rows < 60) expect(lines.join("\n")).toMatch(/… \d+ more/);
  if (size.columns >= 80 && size.rows > 2) expect(lines.join("\n")).toContain("30 s: 421 come back later");
});

test("routes leave room for the last failures, whose text can't change the writing direction", () => {
  const text = frameOf({ columns: 80, rows: 23 }).join("\n");
  expect(text).toMatch(/1 s +bounced .*3 s +bounced/s);
  expect(text).not.toContain("\u202e");
});

test("shows what waits for webhooks and why, above the failures", () => {
  const endpoint = {
    workspace_id: 7,
    waiting: 2,
    oldest_due_at: ago(300),
    paused_until: null,
    failures: 0,
    error: null,
  };
  const endpoints = [
    {
      ...endpoint,
      webhook_id: "1",
      host: "dead.example",
      due: 1_500,
      state: "failing" as const,
      failures: 14,
      error: "timeout",
    },
    {
      ...endpoint,
      webhook_id: "2",
      host: "busy.example",
      due: 3,
      state: "paused" as const,
      paused_until: ago(-120),
      failures: 1,
      error: "answered 429",
    },
    { ...endpoint, webhook_id: "3", host: "slow.example", due: 4, state: "slow" as const },
  ];
  const webhooks = { pending: 1_513, oldest_due_at: ago(3), endpoints };
  const text = frameOf({ columns: 80, rows: 24 }, { webhooks, routes: [], failures: [failure(1)] }).join(
    "\n",
  );
  expect(text).toContain("1,513 waiting, 3 s for working ones · 1 failing · 1 paused · 1 slow");
  expect(text).toMatch(/dead\.example +7 +1,500 +2 +5 min +failing: timeout, 14 times/);
  expect(text).toMatch(/busy\.example .*paused for 2 min: answered 429\n.*slow\.example .*slow\n.*bounced/s);
  for (const line of text.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(80);
});

test("shows a pause and a missing worker at the top", () => {
  expect(frameOf({ columns: 80, rows: 23 }, { paused: true, paused_reason: "repairs" })).toContain(
    "! Paused: repairs",
  );
  expect(frameOf({ columns: 80, rows: 23 }, { workers: [] }).join("\n")).toMatch(
    /^Workers +none\n! No worker reports. Start one: posthorn dev$/m,
  );
});

test("wraps what to do on a narrow terminal: its end is the command", () => {
  const lines = frameOf({ columns: 40, rows: 23 }, { workers: [] });
  expect(lines).toEqual(expect.arrayContaining(["! No worker reports. Start one: posthorn", "  dev"]));
});

test("computes rates in recipients per second between the first sample and the last", () => {
  const look = (at: number, accepted: number): Look => ({
    at,
    queue: { ...queue, totals: { ...totals, accepted } },
  });
  expect(ratesOf([look(0, 10)])).toBeUndefined();
  expect(ratesOf([look(0, 10), look(1_000, 500), look(4_000, 90)])).toMatchObject({
    accepted: 20,
    delivered: 0,
  });
});
