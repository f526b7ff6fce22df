import { expect, test } from "vitest";
import { createWritingTurns } from "./writing-turns.ts";

const slice = 64 * 1024;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Writes `slices` to each of `count` long responses; returns how much each has, and how often one was asked to write. */
function writeTo(count: number, slices: number) {
  const { hasTurn, waitInLine } = createWritingTurns();
  const written = Array.from({ length: count }, () => 0);
  let asked = 0;
  const write = (response: number): void => {
    asked += 1;
    while ((written[response] ?? 0) < slices) {
      if (!hasTurn(slice)) {
        waitInLine(() => write(response));
        return;
      }
      written[response] = (written[response] ?? 0) + 1;
    }
  };
  for (const response of written.keys()) write(response);
  return { written, asked: () => asked };
}

test("long responses write 256 KiB in each turn of the event loop, one after the other", async () => {
  const { written } = writeTo(3, 5);
  const seen: number[][] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    seen.push([...written]);
    await nextTurn();
  }
  expect(seen).toEqual([
    [4, 0, 0],
    [5, 3, 0],
    [5, 3, 4],
    [5, 5, 5],
    [5, 5, 5],
  ]);
});

test("a turn asks no more responses than can write in it, however many are in line", async () => {
  const { written, asked } = writeTo(1_500, 4);
  const before = asked();
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(written.filter((slices) => slices === 4)).toHaveLength(101);
  expect(asked() - before).toBeLessThan(300);
});
