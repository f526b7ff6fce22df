import { expect, test } from "vitest";
import { createWritingTurns } from "./writing-turns.ts";

const slice = 64 * 1024;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("long responses write a megabyte in each turn of the event loop, one after the other", async () => {
  const { hasTurn, nextTurn: waitForTurn } = createWritingTurns();
  const written = [0, 0, 0];
  const write = (response: number): void => {
    while ((written[response] ?? 0) < 20) {
      if (!hasTurn(slice)) {
        waitForTurn(() => write(response));
        return;
      }
      written[response] = (written[response] ?? 0) + 1;
    }
  };
  for (const response of written.keys()) write(response);
  const seen: number[][] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    seen.push([...written]);
    await nextTurn();
  }
  expect(seen).toEqual([
    [16, 0, 0],
    [20, 12, 0],
    [20, 20, 8],
    [20, 20, 20],
  ]);
});
