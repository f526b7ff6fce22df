import { expect, test } from "vitest";
import { createQueue, pass, range, useFakeTimersForEach } from "../../../test/queue-in-memory.ts";

useFakeTimersForEach();

test("the line holds what begins in time: less while items take long, as many as before once they are quick", async () => {
  let ms = 500;
  let inHand = 0;
  let most = 0;
  const limits: number[] = [];
  const queue = createQueue({
    ...{ slots: 10, batch: 100, aheadMs: 1_000 },
    async claim(limit, { ready, enough = 0 }) {
      // Nothing is urgent.
      if (ready.length >= enough) return [];
      limits.push(limit);
      const items = queue.due.splice(0, limit);
      inHand += items.length;
      most = Math.max(most, inHand);
      return items;
    },
    async handle(item) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return item;
    },
    async settle(results) {
      inHand -= results.length;
    },
  });
  queue.due.push(...range(100_000));
  queue.loop.start();
  // Twenty a second.
  await pass(20_000);
  most = 0;
  await pass(10_000);
  expect(most).toBeLessThan(50);
  ms = 10;
  limits.length = 0;
  await pass(2_000);
  expect(limits.at(-1)).toBe(100);
  ms = 20_000;
  await pass(60_000);
  limits.length = 0;
  await pass(60_000);
  // Not every one by itself.
  expect(limits.filter((limit) => limit < 10)).toEqual([]);
  const stopped = queue.loop.stop(0);
  await pass(1);
  await stopped;
});
