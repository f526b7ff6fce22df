import { expect, test } from "vitest";
import { pass, useFakeTimersForEach } from "../../../test/queue-in-memory.ts";
import { createClaiming } from "./claiming.ts";

useFakeTimersForEach();

const ahead = { enough: () => 4, size: () => 2, filled: () => {}, drained: () => {} };

test("a thread that stands still past the next due time gives its timer no negative time", async () => {
  // Not by `vi.spyOn`: whatever restores all mocks later, as Vitest does after a file, would put the faked one back for good.
  const faked = globalThis.setTimeout;
  const waits: (number | undefined)[] = [];
  const noting = (run: () => void, ms?: number) => {
    waits.push(ms);
    return faked(run, ms);
  };
  globalThis.setTimeout = Object.assign(noting, faked);
  let readings = 0;
  // Each reading comes 10 s after the one before.
  const now = () => {
    readings += 1;
    return (readings - 1) * 10_000;
  };
  const claiming = createClaiming(
    { slots: 1, batch: 1, pollMs: 60_000, nextDueAt: async () => 5_000 },
    {
      clock: { now, monotonic: () => Date.now() },
      ahead,
      waiting: () => 0,
      take: async () => 0,
      complain: () => () => {},
    },
  );
  claiming.start();
  await pass();
  globalThis.setTimeout = faked;
  expect(waits).toEqual([5_001]);
  await claiming.stop();
});

test("a start beside a claim from before the stop makes no second one until that has ended", async () => {
  const first = Promise.withResolvers<number>();
  let claims = 0;
  const take = () => {
    claims += 1;
    return claims === 1 ? first.promise : Promise.resolve(0);
  };
  const claiming = createClaiming(
    { slots: 1, batch: 1, pollMs: 60_000, nextDueAt: async () => undefined },
    { clock: { now: () => 0, monotonic: () => 0 }, ahead, waiting: () => 0, take, complain: () => () => {} },
  );
  claiming.start();
  const stopped = claiming.stop();
  claiming.start();
  await pass();
  expect(claims).toBe(1);
  first.resolve(0);
  await stopped;
  await pass(20);
  expect(claims).toBe(2);
  await claiming.stop();
});

test.each([
  ["last claim fails", "take"],
  ["last look at the next due time ends", "nextDueAt"],
] as const)(
  "none is made after a stop, though the one under way was before it and its %s",
  async (_, late) => {
    const pending = Promise.withResolvers<number>();
    let claims = 0;
    const claiming = createClaiming(
      {
        slots: 1,
        batch: 1,
        pollMs: 5_000,
        nextDueAt: () => (late === "nextDueAt" ? pending.promise : Promise.resolve(0)),
      },
      {
        clock: { now: () => 0, monotonic: () => Date.now() },
        ahead,
        waiting: () => 0,
        take: () => {
          claims += 1;
          return late === "take" ? pending.promise : Promise.resolve(0);
        },
        complain: () => () => {},
      },
    );
    claiming.start();
    await pass();
    const stopped = claiming.stop();
    if (late === "take") pending.reject(new Error("away"));
    else pending.resolve(1);
    await stopped;
    await pass(60_000);
    expect(claims).toBe(1);
  },
);

test("where looks are expensive, neither news nor results that others wait for bring the next one forward", async () => {
  let claims = 0;
  const counts = [1, 0, 2, 1];
  const claiming = createClaiming(
    { slots: 4, batch: 2, pollMs: 60_000, nextDueAt: async () => Date.now(), lookGapMs: () => 800 },
    {
      clock: { now: () => Date.now(), monotonic: () => Date.now() },
      ahead,
      waiting: () => 0,
      async take() {
        claims += 1;
        return counts[claims - 1] ?? 0;
      },
      complain: () => () => {},
    },
  );
  const after = async (ms: number) => {
    await pass(ms);
    return claims;
  };
  claiming.start();
  // The first left due items, the second got none of them.
  expect(await after(1)).toBe(2);
  claiming.moved();
  expect(await after(400)).toBe(2);
  claiming.wake();
  expect(await after(390)).toBe(2);
  // Then there is something to claim again: no look of these waits.
  expect(await after(20)).toBe(5);
  await pass(2_000);
  claiming.wake();
  expect(await after(1)).toBeGreaterThan(6);
  await claiming.stop();
});
