import fc from "fast-check";
import { expect, test } from "vitest";
import { type BacklogFloor, StorageUnavailable } from "../../ports/storage.ts";
import { createBacklogFloors } from "./backlog-floors.ts";

const now = 1_000_000;

/** Floors over two webhooks, of which the first has something due. A look takes `tookMs`, one from floors 10 ms. */
function openFloors() {
  const state = {
    at: 0,
    tookMs: 1_000,
    dueAt: now - 60_000,
    fails: false,
    isEmpty: false,
    looks: [] as (readonly BacklogFloor[])[],
  };
  const firsts = async (from: readonly BacklogFloor[] = []) => {
    state.looks.push(from);
    state.at += from.length === 0 ? state.tookMs : 10;
    if (from.length === 0 && state.fails) throw new StorageUnavailable("it took too long");
    if (state.isEmpty) return [];
    return [
      { row: 1, dueAt: state.dueAt },
      { row: 2, dueAt: now + 5_000 },
    ];
  };
  const floors = createBacklogFloors({ firsts }, () => state.at);
  return { state, floors };
}

const found: BacklogFloor[] = [
  { row: 1, since: now - 60_000 },
  { row: 2, since: now - 10_000 },
];

test("as long as looks are quick, they begin at the beginning, and nothing else is asked", async () => {
  const { state, floors } = openFloors();
  expect(await floors.current(now)).toEqual([]);
  floors.note([], 249);
  expect(await floors.current(now)).toEqual([]);
  expect(state.looks).toEqual([]);
});

test("after a slow one they begin behind what was there, which is raised every 5 s and found anew after twenty times as long", async () => {
  const { state, floors } = openFloors();
  floors.note([], 1_000);
  expect(await floors.current(now)).toEqual(found);
  state.dueAt = now - 20_000;
  state.at += 4_000;
  expect(await floors.current(now)).toEqual(found);
  state.at += 1_000;
  const raised = [{ row: 1, since: now - 20_000 }, found[1]];
  expect(await floors.current(now)).toEqual(raised);
  expect(state.looks).toEqual([[], found]);
  state.at += 15_000;
  state.fails = true;
  expect(await floors.current(now)).toEqual(raised);
  expect(state.looks.at(-1)).toEqual([]);
  state.at += 20_000;
  Object.assign(state, { tookMs: 20, fails: false });
  expect(await floors.current(now)).toEqual([]);
});

test("where floors bring nothing, looks go on as before for a minute", async () => {
  const { state, floors } = openFloors();
  floors.note([], 1_000);
  const from = await floors.current(now);
  floors.note(from, 600);
  expect(await floors.current(now)).toEqual([]);
  state.at += 60_000;
  expect(await floors.current(now)).toEqual(found);
});

test("while nothing is pending, floors are not searched for each look, which walks over all itself", async () => {
  const { state, floors } = openFloors();
  state.isEmpty = true;
  for (let look = 0; look < 20; look += 1) {
    expect(await floors.current(now)).toEqual([]);
    floors.note([], 1_000);
    state.at += 1_000;
  }
  expect(state.looks).toEqual([[]]);
  state.isEmpty = false;
  state.at += 1_000;
  expect(await floors.current(now)).toEqual(found);
});

test("the failure of the first search is told, as nothing is known", async () => {
  const { state, floors } = openFloors();
  floors.note([], 1_000);
  state.fails = true;
  await expect(floors.current(now)).rejects.toThrow("it took too long");
});

const hook = fc.integer({ min: 1, max: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), hook, lateMs: fc.integer({ min: 0, max: 10_000 }) }),
  fc.record({ kind: fc.constant("retry" as const), hook, afterMs: fc.integer({ min: 0, max: 60_000 }) }),
  fc.record({ kind: fc.constant("deliver" as const), hook }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 12_000 }) }),
  fc.record({ kind: fc.constant("fail" as const), fails: fc.boolean() }),
  fc.record({ kind: fc.constant("stepBack" as const), ms: fc.integer({ min: 1, max: 3_600_000 }) }),
);

/** A queue of webhooks' deliveries, as due times, of which each look from the beginning is slow. */
function openQueue() {
  const state = { at: 0, behindMs: 0, fails: false, isStepped: false };
  const queue = new Map<number, number[]>([[1, [now]]]);
  const seen = (from: readonly BacklogFloor[], row: number, due: readonly number[]) => {
    const { since } = from.find((floor) => floor.row === row) ?? { since: Number.NEGATIVE_INFINITY };
    return due.filter((dueAt) => dueAt >= since);
  };
  const firsts = async (from: readonly BacklogFloor[] = []) => {
    state.at += from.length === 0 ? 1_000 : 10;
    if (from.length === 0 && state.fails) throw new StorageUnavailable("it took too long");
    return [...queue].flatMap(([row, due]) => {
      const found = seen(from, row, due);
      return found.length === 0 ? [] : { row, dueAt: Math.min(...found) };
    });
  };
  const floors = createBacklogFloors({ firsts }, () => state.at);
  floors.note([], 1_000);
  return {
    state,
    now: () => now + state.at - state.behindMs,
    async look() {
      const from = await floors.current(now + state.at - state.behindMs);
      return [...queue].map(([row, due]) => [row, seen(from, row, due)] as const);
    },
    all: () => [...queue].map(([row, due]) => [row, due] as const),
    change: (row: number, to: (due: readonly number[]) => number[]) =>
      queue.set(row, to(queue.get(row) ?? [])),
  };
}

test("whatever is added late, retried, delivered or postponed by a clock, no look leaves out anything for long", async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
    const queue = openQueue();
    await queue.look();
    for (const one of steps) {
      if (one.kind === "add") queue.change(one.hook, (due) => [...due, queue.now() - one.lateMs]);
      if (one.kind === "retry") queue.change(one.hook, (due) => [...due.slice(1), queue.now() + one.afterMs]);
      if (one.kind === "deliver") queue.change(one.hook, (due) => due.slice(1));
      if (one.kind === "pass") queue.state.at += one.ms;
      if (one.kind === "fail") queue.state.fails = one.fails;
      if (one.kind === "stepBack") {
        queue.state.behindMs += one.ms;
        queue.state.isStepped = true;
      }
      const seen = await queue.look();
      if (!queue.state.isStepped) expect(seen).toEqual(queue.all());
    }
    queue.state.fails = false;
    queue.state.at += 20_000;
    expect(await queue.look()).toEqual(queue.all());
  });
  await fc.assert(property, { numRuns: 200 });
});
