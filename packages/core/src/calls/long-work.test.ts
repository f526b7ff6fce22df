import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { mostInATurn } from "../../test/most-in-a-turn.ts";
import { createLongWork } from "./long-work.ts";

/** Starts a piece that lasts until it is ended by the returned function. */
function startPiece(begun: string[], name: string, run: (work: () => Promise<void>) => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = run(async () => {
    begun.push(name);
    await promise;
  });
  return async () => {
    resolve();
    await done;
    await turn();
    await turn();
  };
}

test("a workspace has one piece under way, a process two, and workspaces take turns", async () => {
  const { piece } = createLongWork();
  const begun: string[] = [];
  const start = (name: string, workspaceId: number) =>
    startPiece(begun, name, (work) => piece(workspaceId, work));
  const endA1 = start("a1", 1);
  const endA2 = start("a2", 1);
  const endA3 = start("a3", 1);
  const endB1 = start("b1", 2);
  const endC1 = start("c1", 3);
  await turn();
  expect(begun).toEqual(["a1", "b1"]);
  await endA1();
  // The workspace that has just had its turn comes after the others.
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await endB1();
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  await endC1();
  expect(begun).toHaveLength(4);
  await endA2();
  await endA3();
  expect(begun.at(-1)).toBe("a3");
});

test("a piece that fails ends its turn, and the caller gets its error", async () => {
  const { piece } = createLongWork();
  await expect(piece(1, () => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk");
  expect(await piece(1, async () => "next")).toBe("next");
});

test("of many calls that pause, one of each workspace goes on in each turn of the event loop", async () => {
  const { pause } = createLongWork();
  let steps = 0;
  const call = async (workspaceId: number): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      await pause(workspaceId);
      steps += 1;
    }
  };
  const calls = Promise.all(Array.from({ length: 20 }, (_, index) => call(index % 4)));
  expect(await mostInATurn(() => steps, 100)).toBeLessThanOrEqual(2);
  await calls;
});

test.each([
  [0.2, 2],
  [5, 6],
  [500, 13],
])("a piece between pauses that takes %d ms leaves turns of the event loop to others", async (ms, turns) => {
  let time = 0;
  const { pause } = createLongWork(() => time);
  let passed = 0;
  const piece = async (): Promise<number> => {
    await pause(1);
    time += ms;
    return passed;
  };
  const pieces = [piece(), piece()];
  let isDone = false;
  const all = Promise.all(pieces).finally(() => (isDone = true));
  while (!isDone) {
    await turn();
    passed += 1;
  }
  const [first = 0, second = 0] = await all;
  expect(second - first).toBe(turns);
});
