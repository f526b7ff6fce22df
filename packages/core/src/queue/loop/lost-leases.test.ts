import { expect, test, vi } from "vitest";
import { createQueue, leaseMs, pass, useFakeTimersForEach } from "../../../test/queue-in-memory.ts";
import { createFirstComeLine } from "./first-come-line.ts";

useFakeTimersForEach();

test("releases an item whose lease expired while it waited: another may have it", async () => {
  const queue = createQueue({ slots: 1, renew: async () => [] });
  queue.due.push(1, 2);
  queue.loop.start();
  await pass(1);
  await pass(leaseMs);
  await queue.answer(1);
  expect(queue.log).toMatchObject({ begun: [1], settled: [1], released: [2] });
  await queue.loop.stop(0);
});

test("begins such an item again as soon as it is claimed, and it leaves its place in line meanwhile", async () => {
  const line = createFirstComeLine<number>();
  const leave = vi.spyOn(line, "leave");
  const queue = createQueue({
    line,
    slots: 2,
    renew: async () => [],
    release: async (items) => void queue.due.push(...items),
  });
  queue.due.push(1, 2, 3);
  queue.loop.start();
  await pass(leaseMs);
  await queue.answer(1);
  await pass(100);
  expect(queue.log.begun).toEqual([1, 2, 3]);
  await queue.answer(2, 3);
  expect(leave.mock.calls).toEqual([[1], [3], [2], [3]]);
  await queue.loop.stop(0);
});

test("releases an item for whose lease the machine slept: another may have sent it", async () => {
  const queue = createQueue({ slots: 1 });
  queue.due.push(1, 2);
  queue.loop.start();
  await pass(1);
  queue.sleep(leaseMs);
  await queue.answer(1);
  expect(queue.log).toMatchObject({ begun: [1], settled: [1], released: [2] });
  await queue.loop.stop(0);
});

test("tells an item whose lease has ended meanwhile that it is lost, also if it could be renewed later", async () => {
  let isRenewed = true;
  const told: boolean[] = [];
  const queue = createQueue({
    renew: async (items) => (isRenewed ? items : []),
    async handle(item, { isStillOurs }) {
      for (const ms of [leaseMs, leaseMs, leaseMs]) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        told.push(isStillOurs());
      }
      return item;
    },
  });
  queue.due.push(1);
  queue.loop.start();
  await pass(leaseMs + 2);
  isRenewed = false;
  await pass(leaseMs);
  isRenewed = true;
  await pass(leaseMs + 50);
  expect(told).toEqual([true, false, false]);
  await queue.loop.stop(0);
});
