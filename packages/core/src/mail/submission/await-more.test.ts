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

test("after a commit as quick as the fastest nothing is waited for", async () => {
  expect(await isOver(more.after({ tookMs: 2.5, answered: 8, waiting: 4 }))).toBe(true);
});

test("after a slow one the callers that were answered are waited for, as long as it was slower", async () => {
  const waiting = more.after({ tookMs: 8, answered: 8, waiting: 4 });
  await vi.advanceTimersByTimeAsync(4);
  expect(await isOver(waiting)).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(await isOver(waiting)).toBe(true);
});

test("the wait ends when they have come, and not before", async () => {
  const waiting = more.after({ tookMs: 8, answered: 8, waiting: 4 });
  more.arrived(11);
  expect(await isOver(waiting)).toBe(false);
  more.arrived(12);
  expect(await isOver(waiting)).toBe(true);
});

test("a commit that stood for seconds is followed by 10 ms at most", async () => {
  const waiting = more.after({ tookMs: 3_000, answered: 8, waiting: 4 });
  await vi.advanceTimersByTimeAsync(10);
  expect(await isOver(waiting)).toBe(true);
});

test.each([
  ["nobody waits", { answered: 8, waiting: 0 }],
  ["few were answered", { answered: 2, waiting: 1 }],
  ["the batch is large already", { answered: 24, waiting: 4 }],
])("nothing is waited for where %s", async (_, sizes) => {
  expect(await isOver(more.after({ tookMs: 8, ...sizes }))).toBe(true);
});

test("what is fast follows the machine: once all commits are slow, that is no reason to wait", async () => {
  for (let commit = 0; commit < 200; commit += 1) await more.after({ tookMs: 8, answered: 1, waiting: 0 });
  expect(await isOver(more.after({ tookMs: 8, answered: 8, waiting: 4 }))).toBe(true);
});
