import { expect, test } from "vitest";
import { createLargeTurns } from "./large-turns.ts";

test("large bodies go on one by one, in order, and small ones at once", async () => {
  const turns: (() => void)[] = [];
  const { enter } = createLargeTurns((next) => turns.push(next));
  const gone: string[] = [];
  const go = (name: string, units: number): void => {
    const wait = enter(units);
    if (wait === undefined) gone.push(name);
    else void wait.then(() => gone.push(name));
  };
  const turn = async (): Promise<void> => {
    expect(turns).toHaveLength(1);
    turns.shift()?.();
    await Promise.resolve();
  };
  for (const name of ["a", "b", "c"]) go(name, 2_000_000);
  go("small", 65_535);
  expect(gone).toEqual(["a", "small"]);
  await turn();
  expect(gone).toEqual(["a", "small", "b"]);
  await turn();
  await turn();
  expect(gone).toEqual(["a", "small", "b", "c"]);
  expect(turns).toEqual([]);
  go("d", 65_536);
  expect(gone).toEqual(["a", "small", "b", "c", "d"]);
});
