import { expect, test } from "vitest";
import type { DueEndpoint } from "../../ports/storage.ts";
import { createLastTurns } from "./create-last-turns.ts";
import { deliverySlots, planDeliveries, type UnderWay } from "./plan-deliveries.ts";

const plan = (endpoints: DueEndpoint[], underWay: UnderWay[], turns = createLastTurns()) =>
  planDeliveries(endpoints, underWay, turns);

const endpoint = (row: number, workspaceId: number, over: Partial<DueEndpoint> = {}): DueEndpoint => ({
  row,
  webhookId: `w${row}`,
  workspaceId,
  isActive: true,
  isFailing: false,
  pace: 0,
  dueAt: row,
  due: 4,
  ...over,
});
const underWay = (endpoints: DueEndpoint[]) =>
  endpoints.map(({ webhookId, workspaceId, isFailing, pace }) => ({
    webhookId,
    workspaceId,
    isFailing,
    pace,
  }));
const total = (planned: { limit: number }[]): number => planned.reduce((sum, { limit }) => sum + limit, 0);

test("a workspace has 5 of the 25 slots while others wait, and 20 alone", () => {
  const many = Array.from({ length: 20 }, (_, row) => endpoint(row, 1));
  expect(total(plan(many, []))).toBe(20);
  const planned = plan([...many, endpoint(99, 2)], []);
  expect(total(planned.filter(({ row }) => row < 20))).toBe(5);
  expect(planned.find(({ row }) => row === 99)?.limit).toBe(4);
  // The slots are spread over the workspace's endpoints; without turns before, the oldest delivery goes first.
  expect(planned.filter(({ row }) => row < 20).map(({ row, limit }) => [row, limit])).toEqual(
    [0, 1, 2, 3, 4].map((row) => [row, 1]),
  );
});

test("an endpoint has 16 slots while no other workspace waits, and 4 otherwise", () => {
  const far = endpoint(1, 1, { due: 16 });
  expect(plan([far], [])).toEqual([{ row: 1, limit: 16 }]);
  expect(plan([far, endpoint(2, 1, { due: 16 })], []).map(({ limit }) => limit)).toEqual([10, 10]);
  expect(plan([far, endpoint(2, 2, { due: 1 })], [])).toEqual([
    { row: 1, limit: 4 },
    { row: 2, limit: 1 },
  ]);
  // The next workspace finds free slots.
  const planned = plan([far, endpoint(2, 2)], underWay(Array.from({ length: 16 }, () => far)));
  expect(planned).toEqual([{ row: 2, limit: 4 }]);
});

test("while one workspace has more than its share under way, the next has its own and leaves slots for a third", () => {
  const [stalled, next] = [endpoint(1, 1), endpoint(2, 2, { due: 16 })];
  const held = (count: number) => underWay(Array.from({ length: count }, () => stalled));
  expect(plan([next], held(16))).toEqual([{ row: 2, limit: 4 }]);
  expect(plan([next], held(5))).toEqual([{ row: 2, limit: 16 }]);
});

test("workspaces with the fewest under way come first, however long another waits", () => {
  const busy = endpoint(1, 1, { dueAt: 0 });
  const idle = Array.from({ length: 3 }, (_, index) => endpoint(10 + index, 10 + index));
  const held = Array.from({ length: 20 }, (_, index) => endpoint(50 + index, 50 + Math.floor(index / 5)));
  const planned = plan([busy, ...idle], underWay([busy, busy, ...held]));
  expect(planned).toEqual(idle.map(({ row }) => ({ row, limit: 1 })));
});

test("failing endpoints have one slot each and eight together", () => {
  const failing = Array.from({ length: 30 }, (_, row) => endpoint(row, row, { isFailing: true }));
  expect(plan(failing, [])).toEqual(failing.slice(0, 8).map(({ row }) => ({ row, limit: 1 })));
  const good = endpoint(99, 99);
  expect(plan([...failing, good], underWay(failing.slice(0, 8)))).toEqual([{ row: 99, limit: 4 }]);
});

test("claims no more than is due, than an endpoint may have, and than is free", () => {
  expect(plan([endpoint(1, 1, { due: 2 })], [])).toEqual([{ row: 1, limit: 2 }]);
  const long = endpoint(1, 1, { due: 16 });
  expect(plan([long], underWay([long, long]))).toEqual([{ row: 1, limit: 14 }]);
  const others = Array.from({ length: 25 }, (_, row) => endpoint(row + 100, row + 100));
  expect(plan([endpoint(1, 1)], underWay(others))).toEqual([]);
});

test("endpoints of each pace have slots of their own: slow ones hold up no prompt one", () => {
  const slow = Array.from({ length: 120 }, (_, row) => endpoint(row, row, { pace: 2, due: 16 }));
  const held = underWay(slow.slice(0, 100));
  const [unknown, prompt] = [endpoint(990, 3, { pace: 1 }), endpoint(991, 3, { pace: 0 })];
  expect(plan([...slow, unknown, prompt], held)).toEqual([
    { row: 991, limit: 4 },
    { row: 990, limit: 4 },
  ]);
});

test("an endpoint is as slow as its slowest delivery under way, which leaves the slots of prompt ones", () => {
  const stalled = Array.from({ length: 25 }, (_, row) => endpoint(row, row));
  const others = underWay(stalled).map((one) => ({ ...one, pace: 1 }));
  const prompt = endpoint(99, 99);
  // They stall: their next deliveries would need slots of the slower ones.
  expect(plan([...stalled, prompt], others)).toEqual([{ row: 99, limit: 4 }]);
});

test("never more than all slots are taken, however many deliveries stall", () => {
  const stalled = Array.from({ length: deliverySlots.all - 1 }, (_, row) => endpoint(row, row, { pace: 2 }));
  expect(plan([endpoint(999, 999)], underWay(stalled))).toEqual([{ row: 999, limit: 1 }]);
});

test("the last slots go to workspaces of whose deliveries none is slow, however many stall", () => {
  const stalled = Array.from({ length: 232 }, (_, row) => endpoint(row, row % 50, { pace: 1 }));
  const [stalling, quiet] = [endpoint(900, 1), endpoint(901, 99)];
  expect(plan([stalling, quiet], underWay(stalled))).toEqual([{ row: 901, limit: 4 }]);
  // A slot before the last 25 is for all.
  expect(plan([stalling], underWay(stalled.slice(0, 230)))).toEqual([{ row: 900, limit: 1 }]);
});

test("workspaces and endpoints take turns, however long others' backlogs wait", () => {
  const turns = createLastTurns();
  const backlogs = Array.from({ length: 30 }, (_, row) => endpoint(row, row, { dueAt: 0, due: 16 }));
  const first = plan(backlogs, [], turns);
  expect(total(first)).toBe(25);
  const newcomer = endpoint(99, 99, { dueAt: 1_000, due: 1 });
  const waiting = [...backlogs, newcomer];
  turns.keep(waiting);
  const second = plan(waiting, [], turns).map(({ row }) => row);
  expect(second.slice(0, 6)).toEqual([25, 26, 27, 28, 29, 99]);

  const own = Array.from({ length: 6 }, (_, row) => endpoint(row, 1, { dueAt: row, due: 16 }));
  const others = createLastTurns();
  const rounds = [0, 1, 2].map(() =>
    plan([...own, endpoint(99, 2)], [], others).flatMap(({ row }) => (row < 6 ? row : [])),
  );
  expect(rounds).toEqual([
    [0, 1, 2, 3, 4],
    [5, 0, 1, 2, 3],
    [4, 5, 0, 1, 2],
  ]);
});
