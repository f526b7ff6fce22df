import { beforeEach, expect, test, vi } from "vitest";
import { silentLogger } from "../../ports/logger.ts";
import type { ClaimedEmail, DuePart, EmailQueue, Want } from "../../ports/storage.ts";
import { createGrace } from "../../queue/loop/create-grace.ts";
import type { Runtime } from "../../service/runtime.ts";
import { createEmailSource } from "./email-source.ts";

const now = 1_000_000;
const part: DuePart = { route: "w:7", lane: 1, dueAt: now - 5 };
const inHand = { waiting: [], ready: [], active: [] };
const lease = { claimId: 1, row: 1 };
const emails = (count: number) =>
  Array.from({ length: count }, () => ({ route: part.route, lane: part.lane, lease }) as ClaimedEmail);

const look = vi.fn<() => Promise<{ due: DuePart[]; nextAt: number | undefined }>>();
const claim = vi.fn<(order: { wants: Want[] }) => Promise<ClaimedEmail[]>>();
beforeEach(() => {
  look.mockReset();
  claim.mockReset();
});

let monotonic = 0;

const openSource = (over: Partial<EmailQueue> = {}) => {
  const emailQueue = { look, claim, claims: async () => [], restoreDue: async () => 0, ...over };
  const queueClock = { now: () => now, monotonic: () => monotonic, ask: async () => {} };
  const config = { worker: { leaseMs: 30_000, pollMs: 5_000 } };
  const logger = silentLogger;
  const transaction = async (work: (within: unknown) => unknown) => work({ emailQueue });
  const runtime = { storage: { emailQueue, transaction }, queueClock, config, logger } as unknown as Runtime;
  const grace = createGrace({ leaseMs: 30_000, monotonic: runtime.queueClock.monotonic });
  return createEmailSource(runtime, "worker", { slots: 10, batch: 40, grace });
};

test("a claim that found nothing due tells the next due time, without another look", async () => {
  look.mockResolvedValue({ due: [], nextAt: now + 3_000 });
  const source = openSource();
  expect(await source.claim(40, inHand)).toEqual([]);
  expect(await source.nextDueAt()).toBe(now + 3_000);
  expect(look).toHaveBeenCalledTimes(1);
  look.mockResolvedValue({ due: [part], nextAt: undefined });
  expect(await source.nextDueAt()).toBe(now);
  expect(look).toHaveBeenCalledTimes(2);
});

test("a claim that may take nothing of what is due tells so, without another look", async () => {
  const own = { ...part, route: "s:7:12" };
  look.mockResolvedValue({ due: [own], nextAt: now + 3_000 });
  const source = openSource();
  const waiting = Array.from({ length: 10 }, () => ({ ...own, lease }) as ClaimedEmail);
  expect(await source.claim(10, { ...inHand, waiting })).toEqual([]);
  expect(await source.nextDueAt()).toBe(now);
  expect([look.mock.calls.length, claim.mock.calls.length]).toEqual([1, 0]);
});

test("a claim that took all that was due is followed by the next one soon, without a look between them", async () => {
  look.mockResolvedValue({ due: [part], nextAt: undefined });
  claim.mockResolvedValue(emails(3));
  const source = openSource();
  expect(await source.claim(40, inHand)).toHaveLength(3);
  expect(await source.nextDueAt()).toBe(now + 20);
  expect(look).toHaveBeenCalledTimes(1);
});

test("a claim that took as many as it asked for is followed by a look, as more may be due", async () => {
  look.mockResolvedValue({ due: [part], nextAt: undefined });
  claim.mockResolvedValueOnce(emails(40)).mockResolvedValue([]);
  const source = openSource();
  expect(await source.claim(40, inHand)).toHaveLength(40);
  expect(await source.nextDueAt()).toBe(now);
  expect(look).toHaveBeenCalledTimes(2);
});

test("where many routes have few e-mails each, one look serves for all that a claim has room for", async () => {
  const due = Array.from({ length: 50 }, (_, n) => ({ ...part, route: `w:${100 + n}` }));
  look.mockResolvedValue({ due, nextAt: undefined });
  claim.mockImplementation(async ({ wants }) =>
    wants.map((want) => ({ ...want, lease }) as unknown as ClaimedEmail),
  );
  const source = openSource();
  const routes = (await source.claim(40, inHand)).map(({ route }) => route);
  expect([new Set(routes).size, look.mock.calls.length]).toEqual([40, 1]);
  expect(claim).toHaveBeenCalledTimes(2);
});

test.each([
  ["other routes", 50],
  ["more of the same route", 2],
])("what was claimed is not lost when claiming from %s fails", async (_, count) => {
  const due = Array.from({ length: count }, (_, n) => ({ ...part, route: `w:${7 + n}` }));
  look.mockResolvedValue({ due, nextAt: undefined });
  claim.mockResolvedValueOnce(emails(20)).mockRejectedValue(new Error("the connection was lost"));
  const source = openSource();
  expect(await source.claim(40, inHand)).toHaveLength(20);
  expect(claim).toHaveBeenCalledTimes(2);
  await expect(source.claim(40, inHand)).rejects.toThrow("the connection was lost");
});

test("a route on trial is looked at again: its other e-mails wait for the one that tries it", async () => {
  look.mockResolvedValue({ due: [{ ...part, isTrial: true }], nextAt: now + 60_000 });
  claim.mockResolvedValue(emails(1));
  const source = openSource();
  expect(await source.claim(40, inHand)).toHaveLength(1);
  expect(await source.nextDueAt()).toBe(now + 60_000);
  expect(look).toHaveBeenCalledTimes(2);
});

test.each([
  [20, 0],
  [50, 200],
  [900, 1_000],
])("after a look of %s ms the next may wait for %s ms", async (lookMs, gapMs) => {
  look.mockImplementation(async () => {
    monotonic += lookMs;
    return { due: [], nextAt: undefined };
  });
  const source = openSource();
  expect(source.lookGapMs()).toBe(0);
  await source.claim(40, inHand);
  expect(source.lookGapMs()).toBe(gapMs);
});

test("one long look among short ones is the thread's, and puts off none", async () => {
  let lookMs = 900;
  look.mockImplementation(async () => {
    monotonic += lookMs;
    return { due: [], nextAt: undefined };
  });
  const source = openSource();
  await source.claim(40, inHand);
  lookMs = 2;
  await source.claim(40, inHand);
  lookMs = 900;
  await source.claim(40, inHand);
  expect(source.lookGapMs()).toBe(0);
  for (let count = 0; count < 4; count += 1) await source.claim(40, inHand);
  expect(source.lookGapMs()).toBe(1_000);
});

test("a claim of its own whose answer was lost is never taken for a dead worker's, however old: it was not tried", async () => {
  const claims = ["worker", "another"].map((worker, id) => ({ id, worker, until: now - 1, leaseMs: 30_000 }));
  const reclaim = vi.fn<EmailQueue["reclaim"]>(async () => 0);
  look.mockResolvedValue({ due: [], nextAt: undefined });
  const source = openSource({ claims: async () => claims, reclaim });
  monotonic += 30_000;
  await source.claim(40, inHand);
  expect(reclaim.mock.calls).toEqual([
    [[claims[0]], now, { areUntried: true }],
    [[claims[1]], now],
  ]);
});
