import { describe, expect, test, vi } from "vitest";
import { createQueue, pass, range, useFakeTimersForEach } from "../../../test/queue-in-memory.ts";
import { StorageUnavailable } from "../../ports/storage.ts";

useFakeTimersForEach();

describe("waking", () => {
  test("is noticed before the first claim, during a claim, and while all slots are in use", async () => {
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
    // A look was made just before.
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

  test("an e-mail after a pause is claimed at once, and those within 20 ms together", async () => {
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

  test("without being woken it polls when something is due, and periodically", async () => {
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

  test("polls again soon for e-mails that are due and held by something else", async () => {
    const queue = createQueue({ nextDueAt: async () => Date.now() });
    queue.loop.start();
    await pass(1_000);
    expect(queue.log.claims).toBeGreaterThanOrEqual(4);
    expect(queue.log.claims).toBeLessThan(7);
    await queue.loop.stop(0);
  });
});

describe("stopping", () => {
  test("releases e-mails not begun, waits until the rest is settled, and leaves no timer", async () => {
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

  test("releases them once the storage is available again, within its time", async () => {
    let failures = 3;
    const released: number[][] = [];
    const queue = createQueue({
      slots: 1,
      async release(items) {
        failures -= 1;
        if (failures >= 0) throw new StorageUnavailable("the database is locked");
        released.push([...items]);
      },
    });
    queue.due.push(...range(3));
    queue.loop.start();
    await pass(1);
    const stop = queue.loop.stop(25_000);
    await queue.answer(0);
    await pass(3_000);
    await stop;
    expect(released).toEqual([[1, 2]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("releases them of each owner separately where others keep rows of one locked", async () => {
    const released: (readonly number[])[] = [];
    let locked = [3, 5];
    const queue = createQueue({
      slots: 1,
      ownerOf: (item) => item % 2,
      async release(items) {
        if (items.some((item) => locked.includes(item)))
          throw new StorageUnavailable("locked", { isLocked: true });
        released.push(items);
      },
    });
    queue.due.push(1, 2, 3, 4, 5, 6);
    queue.loop.start();
    await pass(1);
    const stop = queue.loop.stop(25_000);
    await queue.answer(1);
    expect(released).toEqual([[2, 4, 6]]);
    locked = [];
    await pass(1_000);
    await stop;
    expect(released).toEqual([
      [2, 4, 6],
      [3, 5],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("releases them together while the storage is away: each try may take its whole time-out", async () => {
    const tried: string[] = [];
    let isAway = true;
    const queue = createQueue({
      slots: 1,
      ownerOf: (item) => item,
      async release(items) {
        tried.push(items.join(" "));
        if (isAway) throw new StorageUnavailable("away");
      },
    });
    queue.due.push(1, 2, 3);
    queue.loop.start();
    await pass(1);
    const stop = queue.loop.stop(25_000);
    await queue.answer(1);
    isAway = false;
    await pass(1_000);
    await stop;
    expect(tried).toEqual(["2 3", "2 3"]);
  });

  test("gives up releasing when its time is over, or the storage is closed", async () => {
    let tries = 0;
    let isFinal = false;
    const queue = createQueue({
      slots: 1,
      async release() {
        tries += 1;
        throw new StorageUnavailable("the database is locked", { isFinal });
      },
    });
    for (const [final, most] of [
      [false, 26],
      [true, 1],
    ] as const) {
      isFinal = final;
      tries = 0;
      queue.due.push(1, 2);
      queue.loop.start();
      await pass(1);
      const stop = queue.loop.stop(25_000);
      await queue.answer(1);
      await pass(26_000);
      await stop;
      expect(tries).toBe(most);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  test("waits for a claim in flight and releases what it returns", async () => {
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

  test("waits no longer than its time-out", async () => {
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
});
