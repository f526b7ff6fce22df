import { afterEach, beforeEach, vi } from "vitest";
import { silentLogger } from "../src/ports/logger.ts";
import { createFirstComeLine } from "../src/queue/loop/first-come-line.ts";
import type { Work } from "../src/queue/loop/work.ts";
import { createWorkLoop } from "../src/queue/loop/work-loop.ts";

export const leaseMs = 30_000;
export const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** Creates a queue of numbers in memory. Each is handled when `answer` is called for it, or at once. */
export function createQueue(over: Partial<Work<number, number>> = {}) {
  const due: number[] = [];
  const answers = new Map<number, () => void>();
  const log = { claims: 0, begun: [] as number[], settled: [] as number[], released: [] as number[] };
  let most = 0;
  let under = 0;
  const held = new Set<number>();
  const work: Work<number, number> = {
    name: "numbers",
    slots: 4,
    batch: 10,
    leaseMs,
    pollMs: 5_000,
    line: createFirstComeLine(),
    async claim(limit) {
      log.claims += 1;
      const items = due.splice(0, limit);
      for (const item of items) held.add(item);
      return items;
    },
    async handle(item) {
      log.begun.push(item);
      under += 1;
      most = Math.max(most, under);
      await new Promise<void>((resolve) => answers.set(item, resolve));
      return item;
    },
    async settle(results) {
      under -= results.length;
      log.settled.push(...results);
      for (const result of results) held.delete(result);
    },
    renew: async (items) => items,
    async release(items) {
      log.released.push(...items);
    },
    nextDueAt: async () => undefined,
    ...over,
  };
  let sleptMs = 0;
  /** Has the machine sleep: its monotonic clock and its timers stand still. */
  const sleep = (ms: number): void => {
    sleptMs += ms;
  };
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_: object, text = "") => void errors.push(text) };
  const loop = createWorkLoop(work, {
    clock: { now: () => Date.now(), monotonic: () => Date.now(), machine: () => Date.now() + sleptMs },
    logger,
  });
  const add = (...items: number[]) => {
    due.push(...items);
    loop.wake();
  };
  const answer = async (...items: number[]) => {
    for (const item of items) answers.get(item)?.();
    await pass(10);
  };
  return { loop, log, due, add, answer, sleep, errors, most: () => most };
}

export const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Uses fake timers in each test of a file: time advances only by `pass`. */
export function useFakeTimersForEach(): void {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
}
