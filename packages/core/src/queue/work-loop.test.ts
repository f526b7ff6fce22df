import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { silentLogger } from "../ports/logger.ts";
import { StorageUnavailable } from "../ports/storage.ts";
import { createFirstComeLine } from "./first-come-line.ts";
import type { Work } from "./work.ts";
import { createWorkLoop } from "./work-loop.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const leaseMs = 30_000;
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** A queue in memory: numbers, each handled when `answer` is called for it, or at once. */
function createQueue(over: Partial<Work<number, number>> = {}) {
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
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_: object, text = "") => void errors.push(text) };
  const loop = createWorkLoop(work, {
    clock: { now: () => Date.now(), monotonic: () => Date.now() },
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
  return { loop, log, due, add, answer, errors, most: () => most };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("handling", () => {
  test("never takes more than its slots, and ends them all", async () => {
    const queue = createQueue();
    queue.due.push(...range(50));
    queue.loop.start();
    await pass(1);
    expect(queue.log.begun).toEqual([0, 1, 2, 3]);
    for (const item of range(50)) await queue.answer(item);
    expect(queue.log.settled.sort((a, b) => a - b)).toEqual(range(50));
    expect(queue.most()).toBe(4);
    await queue.loop.stop(0);
  });

  test("gathers results that end together into one settlement", async () => {
    const batches: number[][] = [];
    const queue = createQueue({
      slots: 100,
      settle: async (results) => void batches.push(results),
    });
    queue.due.push(...range(6));
    queue.loop.start();
    await pass(1);
    await queue.answer(0, 1);
    // As long as results wait for others at the most.
    await pass(20);
    await queue.answer(2, 3, 4, 5);
    await pass(20);
    expect(batches).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ]);
    await queue.loop.stop(0);
  });

  test("that throws frees the slot, leaves the lease to lapse, and is not tried again at once", async () => {
    const handle = vi.fn(() => Promise.reject(new Error("a bug")));
    const queue = createQueue({ handle });
    queue.due.push(1);
    queue.loop.start();
    await pass(20_000);
    expect(handle).toHaveBeenCalledTimes(1);
    expect(queue.log).toMatchObject({ settled: [], released: [] });
    expect(queue.log.claims).toBeLessThan(8);
    expect(queue.errors).toEqual(["numbers: handling failed"]);
    await queue.loop.stop(0);
  });

  test("does not begin what it slept over: another may have it", async () => {
    const queue = createQueue({ slots: 1, renew: async () => [] });
    queue.due.push(1, 2);
    queue.loop.start();
    await pass(1);
    await pass(leaseMs);
    await queue.answer(1);
    expect(queue.log).toMatchObject({ begun: [1], settled: [1], released: [2] });
    await queue.loop.stop(0);
  });

  test("renews leases in time, and then begins what waited long", async () => {
    const renew = vi.fn(async (items: readonly number[]) => items);
    const queue = createQueue({ slots: 1, renew });
    queue.due.push(1, 2);
    queue.loop.start();
    await pass(3 * leaseMs);
    expect(renew.mock.calls.length).toBe(9);
    expect(renew.mock.calls[0]?.[0]).toEqual([2, 1]);
    await queue.answer(1);
    expect(queue.log.begun).toEqual([1, 2]);
    await queue.answer(2);
    await queue.loop.stop(0);
  });
});

describe("waking", () => {
  test("is heard before the first claim, during a claim, and while all slots are taken", async () => {
    let claimed = (_: number[]) => {};
    const claim = vi.fn(
      () =>
        new Promise<number[]>((resolve) => {
          claimed = resolve;
        }),
    );
    const queue = createQueue({ claim, slots: 1, batch: 1 });
    queue.loop.wake();
    queue.loop.start();
    queue.loop.wake();
    claimed([]);
    // It looked just now.
    await pass(20);
    expect(claim).toHaveBeenCalledTimes(2);
    queue.loop.wake();
    claimed([7]);
    await pass();
    expect(claim).toHaveBeenCalledTimes(3);
    claimed([8]);
    await pass();
    queue.loop.wake();
    expect(claim).toHaveBeenCalledTimes(3);
    await queue.answer(7);
    expect(queue.log.begun).toEqual([7, 8]);
    expect(claim).toHaveBeenCalledTimes(4);
    claimed([]);
    await queue.answer(8);
    await queue.loop.stop(0);
  });

  test("what comes after a rest is claimed at once, and what follows within 20 ms together", async () => {
    const batches: number[][] = [];
    const due: number[] = [];
    const claim = async () => {
      batches.push(due.splice(0));
      return batches.at(-1) ?? [];
    };
    const queue = createQueue({ claim });
    const add = (item: number) => {
      due.push(item);
      queue.loop.wake();
    };
    queue.loop.start();
    await pass(1_000);
    add(1);
    await pass(5);
    add(2);
    await pass(5);
    add(3);
    await pass(20);
    expect(batches).toEqual([[], [1], [2, 3]]);
    await queue.answer(1, 2, 3);
    await pass(20);
    await queue.loop.stop(0);
  });

  test("during the look for the next due time is not lost", async () => {
    let told = (_: undefined) => {};
    const queue = createQueue({
      nextDueAt: () =>
        new Promise((resolve) => {
          told = resolve;
        }),
    });
    queue.loop.start();
    await pass();
    queue.add(1);
    told(undefined);
    await pass(20);
    expect(queue.log.begun).toEqual([1]);
    told(undefined);
    await queue.answer(1);
    await pass(20);
    await queue.loop.stop(0);
  });

  test("nobody wakes it: it looks when something falls due, and every so often", async () => {
    let due: number | undefined = Date.now() + 2_000;
    const queue = createQueue({ nextDueAt: async () => due });
    queue.loop.start();
    await pass(1_999);
    expect(queue.log.claims).toBe(1);
    due = undefined;
    await pass(2);
    expect(queue.log.claims).toBe(2);
    await pass(5_000);
    expect(queue.log.claims).toBe(3);
    await queue.loop.stop(0);
  });

  test("looks again soon for what is due and held by something else", async () => {
    const queue = createQueue({ nextDueAt: async () => Date.now() });
    queue.loop.start();
    await pass(1_000);
    expect(queue.log.claims).toBeGreaterThanOrEqual(4);
    expect(queue.log.claims).toBeLessThan(7);
    await queue.loop.stop(0);
  });
});

describe("a storage that fails", () => {
  test("at claiming is asked again after a while", async () => {
    const claim = vi.fn(() => Promise.reject(new StorageUnavailable("away")));
    const queue = createQueue({ claim });
    queue.loop.start();
    queue.loop.wake();
    await pass(10);
    expect(claim.mock.calls.length).toBeLessThanOrEqual(2);
    await pass(3_000);
    expect(claim.mock.calls.length).toBeGreaterThanOrEqual(4);
    expect(claim.mock.calls.length).toBeLessThan(7);
    await queue.loop.stop(0);
  });

  test("at settling keeps results until it takes them; nothing is handled twice", async () => {
    let away = true;
    const settled: number[] = [];
    const queue = createQueue({
      async settle(results) {
        if (away) throw new StorageUnavailable("away");
        settled.push(...results);
      },
    });
    queue.due.push(1, 2);
    queue.loop.start();
    await pass(1);
    await queue.answer(1);
    await pass(3_000);
    await queue.answer(2);
    expect(settled).toEqual([]);
    away = false;
    await pass(1_000);
    expect(settled.sort()).toEqual([1, 2]);
    expect(queue.log.begun).toEqual([1, 2]);
    await queue.loop.stop(0);
  });

  test("one result that can't be settled spoils no other", async () => {
    const settled: number[] = [];
    const queue = createQueue({
      async settle(results) {
        if (results.includes(13)) throw new Error("a bug");
        settled.push(...results);
      },
    });
    queue.due.push(12, 13, 14);
    queue.loop.start();
    await pass(1);
    await queue.answer(12, 13, 14);
    expect(settled).toEqual([12, 14]);
    const stopped = queue.loop.stop(2_000);
    await pass(2_000);
    await stopped;
    const before = queue.errors.length;
    await pass(10_000);
    // What was given up is not asked for for ever.
    expect(queue.errors.length - before).toBeLessThanOrEqual(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("stopping", () => {
  test("gives back what was not begun, waits for the rest until it is settled, and leaves no timer", async () => {
    const queue = createQueue({ slots: 2 });
    queue.due.push(...range(5));
    queue.loop.start();
    await pass(1);
    let stopped = false;
    const stop = queue.loop.stop(25_000).then(() => {
      stopped = true;
    });
    await pass(1_000);
    expect(queue.log.released).toEqual([2, 3, 4]);
    await queue.answer(0);
    expect(stopped).toBe(false);
    await queue.answer(1);
    await stop;
    expect(queue.log).toMatchObject({ begun: [0, 1], settled: [0, 1] });
    expect(vi.getTimerCount()).toBe(0);
    queue.add(9);
    await pass(10_000);
    expect(queue.log.begun).toEqual([0, 1]);
  });

  test("waits for a claim in flight and gives back what it brings", async () => {
    let claimed = (_: number[]) => {};
    const queue = createQueue({
      claim: () =>
        new Promise((resolve) => {
          claimed = resolve;
        }),
    });
    queue.loop.start();
    let stopped = false;
    const stop = queue.loop.stop(25_000).then(() => {
      stopped = true;
    });
    await pass(10);
    expect(stopped).toBe(false);
    claimed([1, 2]);
    await pass(10);
    await stop;
    expect(queue.log).toMatchObject({ begun: [], released: [1, 2] });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits no longer than it was told", async () => {
    const queue = createQueue();
    queue.due.push(1);
    queue.loop.start();
    await pass(1);
    const stop = queue.loop.stop(25_000);
    await pass(25_000);
    await stop;
    expect(queue.log.settled).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is no end: it can be started again", async () => {
    const queue = createQueue();
    queue.loop.start();
    await pass(1);
    await queue.loop.stop(0);
    queue.due.push(1);
    queue.loop.start();
    await pass(1);
    await queue.answer(1);
    await pass(20);
    expect(queue.log.settled).toEqual([1]);
    await queue.loop.stop(0);
  });
});

describe("one round", () => {
  test("settles what went well, though another item's handling throws", async () => {
    const queue = createQueue({
      handle: async (item) => {
        if (item === 2) throw new Error("a bug");
        return item;
      },
    });
    queue.due.push(1, 2, 3);
    expect(await queue.loop.runOnce()).toBe(3);
    expect(queue.log.settled).toEqual([1, 3]);
    expect(await queue.loop.runOnce()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("renews its leases, and rejects where nothing can be noted", async () => {
    const renew = vi.fn(async (items: readonly number[]) => items);
    const settle = vi.fn(() => Promise.reject(new StorageUnavailable("away")));
    const queue = createQueue({ renew, settle });
    queue.due.push(1);
    const round = queue.loop.runOnce();
    const failed = expect(round).rejects.toBeInstanceOf(StorageUnavailable);
    await pass(leaseMs);
    expect(renew).toHaveBeenCalledTimes(3);
    await queue.answer(1);
    await pass(5_000);
    await failed;
    expect(settle).toHaveBeenCalledTimes(5);
    expect(vi.getTimerCount()).toBe(0);
  });
});
