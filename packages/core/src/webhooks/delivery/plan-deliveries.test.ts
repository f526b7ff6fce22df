import { expect, test } from "vitest";
import type { DueEndpoint } from "../../ports/storage/webhooks.ts";
import { planDeliveries } from "./plan-deliveries.ts";

const endpoint = (row: number, workspaceId: number, over: Partial<DueEndpoint> = {}): DueEndpoint => ({
  row,
  webhookId: `w${row}`,
  workspaceId,
  isActive: true,
  isFailing: false,
  dueAt: row,
  due: 4,
  ...over,
});
const underWay = (endpoints: DueEndpoint[]) =>
  endpoints.map(({ webhookId, workspaceId, isFailing }) => ({ webhookId, workspaceId, isFailing }));
const total = (plan: { limit: number }[]): number => plan.reduce((sum, { limit }) => sum + limit, 0);

test("a workspace has 5 of the 25 slots while others wait, and 20 alone", () => {
  const many = Array.from({ length: 20 }, (_, row) => endpoint(row, 1));
  expect(total(planDeliveries(many, []))).toBe(20);
  const plan = planDeliveries([...many, endpoint(99, 2)], []);
  expect(total(plan.filter(({ row }) => row < 20))).toBe(5);
  expect(plan.find(({ row }) => row === 99)?.limit).toBe(4);
  // The slots are spread over the workspace's endpoints; the oldest delivery goes first.
  expect(plan.filter(({ row }) => row < 20).map(({ row, limit }) => [row, limit])).toEqual(
    [0, 1, 2, 3, 4].map((row) => [row, 1]),
  );
});

test("an endpoint has 16 slots while no other workspace waits, and 4 otherwise", () => {
  const far = endpoint(1, 1, { due: 16 });
  expect(planDeliveries([far], [])).toEqual([{ row: 1, limit: 16 }]);
  expect(planDeliveries([far, endpoint(2, 1, { due: 16 })], []).map(({ limit }) => limit)).toEqual([10, 10]);
  expect(planDeliveries([far, endpoint(2, 2, { due: 1 })], [])).toEqual([
    { row: 1, limit: 4 },
    { row: 2, limit: 1 },
  ]);
  // The next workspace finds free slots.
  const plan = planDeliveries([far, endpoint(2, 2)], underWay(Array.from({ length: 16 }, () => far)));
  expect(plan).toEqual([{ row: 2, limit: 4 }]);
});

test("while one workspace has more than its share under way, the next has its own and leaves slots for a third", () => {
  const [stalled, next] = [endpoint(1, 1), endpoint(2, 2, { due: 16 })];
  const held = (count: number) => underWay(Array.from({ length: count }, () => stalled));
  expect(planDeliveries([next], held(16))).toEqual([{ row: 2, limit: 4 }]);
  expect(planDeliveries([next], held(5))).toEqual([{ row: 2, limit: 16 }]);
});

test("workspaces with the fewest under way come first, however long another waits", () => {
  const busy = endpoint(1, 1, { dueAt: 0 });
  const idle = Array.from({ length: 3 }, (_, index) => endpoint(10 + index, 10 + index));
  const held = Array.from({ length: 20 }, (_, index) => endpoint(50 + index, 50 + Math.floor(index / 5)));
  const plan = planDeliveries([busy, ...idle], underWay([busy, busy, ...held]));
  expect(plan).toEqual(idle.map(({ row }) => ({ row, limit: 1 })));
});

test("failing endpoints have one slot each and eight together", () => {
  const failing = Array.from({ length: 30 }, (_, row) => endpoint(row, row, { isFailing: true }));
  expect(planDeliveries(failing, [])).toEqual(failing.slice(0, 8).map(({ row }) => ({ row, limit: 1 })));
  const good = endpoint(99, 99);
  expect(planDeliveries([...failing, good], underWay(failing.slice(0, 8)))).toEqual([{ row: 99, limit: 4 }]);
});

test("claims no more than is due, than an endpoint may have, and than is free", () => {
  expect(planDeliveries([endpoint(1, 1, { due: 2 })], [])).toEqual([{ row: 1, limit: 2 }]);
  const long = endpoint(1, 1, { due: 16 });
  expect(planDeliveries([long], underWay([long, long]))).toEqual([{ row: 1, limit: 14 }]);
  const others = Array.from({ length: 25 }, (_, row) => endpoint(row + 100, row + 100));
  expect(planDeliveries([endpoint(1, 1)], underWay(others))).toEqual([]);
});
