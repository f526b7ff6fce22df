import { describe, expect, test, vi } from "vitest";
import { createQueue, leaseMs, pass, range, useFakeTimersForEach } from "../../../test/queue-in-memory.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createFirstComeLine } from "./first-come-line.ts";

useFakeTimersForEach();

describe("handling", () => {
  test("never exceeds its slots, and frees them all", async () => {
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

  test("begins items that waited for others in the queue as soon as a look finds none there", async () => {
    const line = createFirstComeLine<number>();
    let othersDue = true;
    const queue = createQueue({
      line: {
        ...line,
        get size() {
          return line.size;
        },
        get ready() {
          return othersDue ? 0 : line.size;
        },
        next: () => (othersDue ? undefined : line.next()),
      },
      async nextDueAt() {
        othersDue = false;
        return undefined;
      },
    });
    queue.due.push(1, 2);
    queue.loop.start();
    await pass(1);
    expect(queue.log.begun).toEqual([1, 2]);
    await queue.answer(1, 2);
    await pass(20);
    await queue.loop.stop(0);
  });

  test("settles results that end together in one call", async () => {
    const batches: number[][] = [];
    const queue = createQueue({
      slots: 100,
      settle: async (results) => void batches.push(results),
    });
    queue.due.push(...range(6));
    queue.loop.start();
    await pass(1);
    await queue.answer(0, 1);
    // The maximum time that results wait for others.
    await pass(20);
    await queue.answer(2, 3, 4, 5);
    await pass(20);
    expect(batches).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ]);
    await queue.loop.stop(0);
  });

  test("settles at once when others wait only for what has ended", async () => {
    const batches: number[][] = [];
    const waiting = range(6);
    let open = 0;
    const queue = createQueue({
      slots: 100,
      // Two at a time, as of deliveries to one endpoint.
      async claim() {
        const items = waiting.splice(0, 2 - open);
        open += items.length;
        return items;
      },
      async settle(results) {
        open -= results.length;
        batches.push(results);
      },
      nextDueAt: async () => (waiting.length > 0 ? 0 : undefined),
    });
    queue.loop.start();
    await pass(1);
    await queue.answer(0);
    expect(batches).toEqual([]);
    await queue.answer(1);
    expect(batches).toEqual([[0, 1]]);
    await queue.answer(2, 3);
    expect(batches).toEqual([
      [0, 1],
      [2, 3],
    ]);
    await queue.answer(4, 5);
    await pass(20);
    await queue.loop.stop(0);
  });

  test("that throws frees the slot, lets the lease expire, and is not retried at once", async () => {
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

  test("renews leases in time, and then begins items that waited long", async () => {
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

describe("a storage that fails", () => {
  test("at claiming is retried after a while", async () => {
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

  test("at settling keeps results until it accepts them; nothing is handled twice", async () => {
    let away = true;
    const settled: number[] = [];
    const tried: number[] = [];
    const queue = createQueue({
      async settle(results) {
        tried.push(results.length);
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
    tried.length = 0;
    await pass(3_000);
    expect(settled).toEqual([]);
    // Always together: each try may take the storage's whole time-out.
    expect(new Set(tried)).toEqual(new Set([2]));
    away = false;
    await pass(1_000);
    expect(settled.sort()).toEqual([1, 2]);
    expect(queue.log.begun).toEqual([1, 2]);
    await queue.loop.stop(0);
  });

  test("for good delays no stop, which a result can't survive", async () => {
    const queue = createQueue({
      settle: () => Promise.reject(new StorageUnavailable("closed", { isFinal: true })),
    });
    queue.due.push(1, 2);
    queue.loop.start();
    await pass(1);
    await queue.answer(1);
    await pass(3_000);
    // What could begin in its place would be sent for nothing, too.
    expect(queue.log.begun).toEqual([1, 2]);
    let isStopped = false;
    void queue.loop.stop(60_000).then(() => {
      isStopped = true;
    });
    await queue.answer(2);
    await pass(1_000);
    expect(isStopped).toBe(true);
    expect(queue.errors.at(-1)).toContain("storing results before the storage was closed failed");
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ["for a fault", new Error("a bug")],
    ["for others' locks", new StorageUnavailable("locked", { isLocked: true })],
  ])("one result that can't be settled %s affects no other", async (_, fault) => {
    const settled: number[] = [];
    const queue = createQueue({
      async settle(results) {
        if (results.includes(13)) throw fault;
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
    // Abandoned results are not retried for ever.
    expect(queue.errors.length - before).toBeLessThanOrEqual(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("one round", () => {
  test("settles successful items, though another item's handling throws", async () => {
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

  test("renews its leases, and rejects if nothing can be written", async () => {
    const renew = vi.fn(async (items: readonly number[]) => items);
    const settle = vi.fn(() => Promise.reject(new StorageUnavailable("away")));
    const queue = createQueue({ renew, settle });
    queue.due.push(1);
    const round = queue.loop.runOnce();
    const failed = expect(round).rejects.toBeInstanceOf(StorageUnavailable);
    await pass(leaseMs);
    expect(renew).toHaveBeenCalledTimes(3);
    await queue.answer(1);
    expect(settle).toHaveBeenCalledTimes(1);
    await pass(5_000);
    await failed;
    expect(settle).toHaveBeenCalledTimes(5);
    expect(vi.getTimerCount()).toBe(0);
  });
});
