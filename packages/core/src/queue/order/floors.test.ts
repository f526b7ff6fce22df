import { expect, test } from "vitest";
import type { DuePart } from "../../ports/storage.ts";
import { createFloors } from "./floors.ts";

const now = 1_000_000;
const due: DuePart[] = [
  { route: "w:1", lane: 1, dueAt: now - 60_000 },
  { route: "w:2", lane: 0, dueAt: now - 1 },
];

test("an expensive scan of the whole queue is followed by scans from the oldest waiting e-mails", () => {
  const floors = createFloors();
  expect(floors.current(0)).toEqual([]);
  floors.note({ from: [], due, now, begun: 0, ended: 100 });
  expect(floors.current(100)).toEqual([
    { route: "w:1", lane: 0, since: now - 10_000 },
    { route: "w:1", lane: 1, since: now - 60_000 },
    { route: "w:1", lane: 2, since: now - 10_000 },
    { route: "w:2", lane: 0, since: now - 10_000 },
    { route: "w:2", lane: 1, since: now - 10_000 },
    { route: "w:2", lane: 2, since: now - 10_000 },
  ]);
  expect(floors.current(2_099)).toHaveLength(6);
  expect(floors.current(2_100)).toEqual([]);
});

test("the whole queue is scanned every five seconds whatever the cost, and always if it is cheap", () => {
  const floors = createFloors();
  floors.note({ from: [], due, now, begun: 0, ended: 9_000 });
  expect(floors.current(13_999)).not.toEqual([]);
  expect(floors.current(14_000)).toEqual([]);
  floors.note({ from: [], due, now, begun: 14_000, ended: 14_000 });
  expect(floors.current(14_000)).toEqual([]);
});

test("a route delivered at once stays known for ten minutes, of many those that were last busy", () => {
  const floors = createFloors();
  const look = { from: [], now };
  floors.note({ ...look, due, begun: 0, ended: 1_000 });
  floors.note({ ...look, due: [], begun: 10_000, ended: 11_000 });
  expect(new Set(floors.current(11_000).map(({ route }) => route))).toEqual(new Set(["w:1", "w:2"]));
  floors.note({ ...look, due: [], begun: 601_000, ended: 602_000 });
  expect(floors.current(602_000)).toEqual([]);
  const many = Array.from({ length: 600 }, (_, n): DuePart => ({ route: `s:1:${n}`, lane: 1, dueAt: now }));
  floors.note({ ...look, due: [...many, ...due], begun: 603_000, ended: 604_000 });
  const known = new Set(floors.current(604_000).map(({ route }) => route));
  expect([known.size, known.has("s:1:0"), known.has("w:2")]).toEqual([512, false, true]);
});
