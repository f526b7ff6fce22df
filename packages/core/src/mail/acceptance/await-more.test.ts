import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AwaitMore, createAwaitMore } from "./await-more.ts";

let more: AwaitMore;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  more = createAwaitMore();
  await more.after({ tookMs: 2, answered: 1, waiting: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether it has resolved once what is due by now is done. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

test("does not wait after a commit as quick as the fastest", async () => {
  expect(await isOver(more.after({ tookMs: 2.5, answered: 8, waiting: 4 }))).toBe(true);
});

test("waits for the answered callers after a slow commit, as long as it was slower", async () => {
  const waiting = more.after({ tookMs: 8, answered: 8, waiting: 4 });
  await vi.advanceTimersByTimeAsync(4);
  expect(await isOver(waiting)).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(await isOver(waiting)).toBe(true);
});

test("the wait ends when they have called, and not before", async () => {
  const waiting = more.after({ tookMs: 8, answered: 8, waiting: 4 });
  more.arrived(11);
  expect(await isOver(waiting)).toBe(false);
  more.arrived(12);
  expect(await isOver(waiting)).toBe(true);
});

test("a commit that hung for seconds is followed by 10 ms at most", async () => {
  const waiting = more.after({ tookMs: 3_000, answered: 8, waiting: 4 });
  await vi.advanceTimersByTimeAsync(10);
  expect(await isOver(waiting)).toBe(true);
});

test.each([
  ["nobody waits", { answered: 8, waiting: 0 }],
  ["few were answered", { answered: 2, waiting: 1 }],
  ["the batch is large already", { answered: 24, waiting: 4 }],
])("does not wait if %s", async (_, sizes) => {
  expect(await isOver(more.after({ tookMs: 8, ...sizes }))).toBe(true);
});

test("the fastest commit follows the machine: once all are slow, there is no wait", async () => {
  for (let commit = 0; commit < 200; commit += 1) await more.after({ tookMs: 8, answered: 1, waiting: 0 });
  expect(await isOver(more.after({ tookMs: 8, answered: 8, waiting: 4 }))).toBe(true);
});
