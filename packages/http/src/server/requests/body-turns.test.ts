import { expect, test } from "vitest";
import { createBodyTurns } from "./body-turns.ts";

const mebibyte = 1024 * 1024;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("short bodies are parsed at once, long ones one in each turn of the event loop, by holder", async () => {
  const take = createBodyTurns();
  const parsed: string[] = [];
  const parse = (name: string) => () => void parsed.push(name);
  expect(take(new Uint8Array(10), 1, () => "parsed")).toBe("parsed");
  const long = new Uint8Array(mebibyte);
  const all = [take(long, 1, parse("1 a")), take(long, 1, parse("1 b")), take(long, 2, parse("2 a"))];
  const seen: number[] = [];
  while (parsed.length < 3) {
    seen.push(parsed.length);
    await nextTurn();
  }
  await Promise.all(all);
  expect(new Set(seen)).toEqual(new Set([0, 1, 2]));
  expect(parsed).toEqual(["1 a", "2 a", "1 b"]);
});

test("a body that can't be parsed delays no other, and no more wait than 64 MiB", async () => {
  const take = createBodyTurns();
  const fails = (): never => {
    throw new Error("no JSON");
  };
  const long = new Uint8Array(30 * mebibyte);
  const all = [take(long, 1, fails), take(long, 1, () => "second")];
  expect(take(long, 1, () => "third")).toBe("third");
  expect(await Promise.allSettled(all)).toMatchObject([
    { reason: new Error("no JSON") },
    { value: "second" },
  ]);
});

test.each([
  [0.2, 1],
  [3, 3],
  [500, 12],
])("a body that takes %d ms leaves %d turns of the event loop to other work", async (ms, turns) => {
  let time = 0;
  const take = createBodyTurns(() => time);
  const long = new Uint8Array(mebibyte);
  let turn = 0;
  const parse = () => {
    time += ms;
    return turn;
  };
  const first = take(long, 1, parse);
  const second = take(long, 1, parse);
  let isParsed = false;
  void Promise.resolve(second).then(() => (isParsed = true));
  while (!isParsed) {
    await nextTurn();
    turn += 1;
  }
  expect(Number(await second) - Number(await first)).toBe(turns);
});
