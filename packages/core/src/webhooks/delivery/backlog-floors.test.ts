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
    looks: [] as (readonly BacklogFloor[])[],
  };
  const firsts = async (from: readonly BacklogFloor[] = []) => {
    state.looks.push(from);
    state.at += from.length === 0 ? state.tookMs : 10;
    if (from.length === 0 && state.fails) throw new StorageUnavailable("it took too long");
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

test("the failure of the first search is told, as nothing is known", async () => {
  const { state, floors } = openFloors();
  floors.note([], 1_000);
  state.fails = true;
  await expect(floors.current(now)).rejects.toThrow("it took too long");
});
