import { expect, test, vi } from "vitest";
import { createQueue, leaseMs, pass, useFakeTimersForEach } from "../../../test/queue-in-memory.ts";
import { StorageUnavailable } from "../../ports/storage.ts";

useFakeTimersForEach();

test("a stop is not final: the loop can be started again", async () => {
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

test("a stop leaves to the next start what the storage did not take in its time", async () => {
  const settled: number[] = [];
  let isAway = true;
  const queue = createQueue({
    async settle(results) {
      if (isAway) throw new StorageUnavailable("away");
      settled.push(...results);
    },
  });
  queue.due.push(1);
  queue.loop.start();
  await pass(1);
  await queue.answer(1);
  const stop = queue.loop.stop(1_000);
  await pass(5_000);
  expect(await stop).toBe(1);
  isAway = false;
  await pass(5_000);
  expect(settled).toEqual([]);
  queue.loop.start();
  await pass(1_000);
  expect(settled).toEqual([1]);
  expect(await queue.loop.stop(0)).toBe(0);
});

test("a stop ends no renewals of a start that came before its time was over", async () => {
  const renew = vi.fn(async (items: readonly number[]) => items);
  const queue = createQueue({ renew });
  queue.due.push(1);
  queue.loop.start();
  await pass(1);
  const stop = queue.loop.stop(1_000);
  queue.loop.start();
  await pass(1_000);
  await stop;
  await queue.answer(1);
  await pass(100);
  queue.add(2);
  await pass(100);
  renew.mockClear();
  await pass(leaseMs);
  expect(renew.mock.calls).toEqual([[[2]], [[2]], [[2]]]);
  await queue.answer(2);
  await queue.loop.stop(0);
});
