import { expect, test } from "vitest";
import { createPacedReads } from "./paced-reads.ts";

/** A read that takes this thread for three ms. */
const slow = (): void => {
  const end = performance.now() + 3;
  while (performance.now() < end);
};
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("of many long reads, others' work has its turn after each, and holders take turns", async () => {
  const read = createPacedReads();
  const done: string[] = [];
  const all = [1, 1, 1, 2].map((holder, at) =>
    read(() => {
      slow();
      done.push(`${holder} ${at}`);
    }, holder),
  );
  const seen: number[] = [];
  while (done.length < 4) {
    seen.push(done.length);
    await nextTurn();
  }
  await Promise.all(all);
  expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3]));
  expect(done).toEqual(["1 0", "2 3", "1 1", "1 2"]);
});

test("short reads of one turn need no other, and a failing one gives its place back", async () => {
  const read = createPacedReads();
  let turns = 0;
  const counting = (async () => {
    for (; turns < 50; turns += 1) await nextTurn();
  })();
  await expect(read(() => Promise.reject(new Error("it fails")), 1)).rejects.toThrow("it fails");
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => read(() => at, 1)));
  expect(answers).toHaveLength(100);
  expect(turns).toBeLessThan(50);
  await counting;
});
