import pg from "pg";
import { expect, test, vi } from "vitest";
import { openTestPostgres } from "../../test/open-test-storage.ts";

/** Calls a thousand times at once. Returns the results, and how often a connection was taken for them. */
const callOften = async <T>(call: (index: number) => Promise<T>) => {
  const connecting = vi.spyOn(pg.Pool.prototype, "connect");
  const results = await Promise.all(Array.from({ length: 1_000 }, (_, index) => call(index)));
  const taken = connecting.mock.calls.length;
  connecting.mockRestore();
  return { results, taken };
};

test("reads of a thousand callers wait for the few connections together", async () => {
  const storage = await openTestPostgres();
  const { id } = await storage.workspaces.insert({ name: "W", createdAt: 1 });
  const { results, taken } = await callOften(() => storage.workspaces.find(id));
  expect(results.filter((workspace) => workspace?.id === id)).toHaveLength(1_000);
  expect(taken).toBeLessThan(50);
  await storage.close();
});

test.each([
  ["one key", () => "k", 50],
  ["a key each", (index: number) => `k${index}`, 1_000],
] as const)("attempts of a thousand callers under %s are counted together", async (_, keyOf, allowed) => {
  const storage = await openTestPostgres();
  const { results, taken } = await callOften((index) => storage.guards.reserve(keyOf(index), 50, 60_000, 1));
  expect(results.filter((result) => result.allowed)).toHaveLength(allowed);
  expect(taken).toBeLessThan(50);
  await storage.close();
});

test("attempts under other keys don't wait for those under one that a transaction holds", async () => {
  const storage = await openTestPostgres();
  const reserve = (key: string) => storage.guards.reserve(key, 50, 60_000, 1);
  let held: unknown[] = [];
  await storage.transaction(async ({ guards }) => {
    await guards.reserve("held", 50, 60_000, 1);
    held = Array.from({ length: 9 }, () => reserve("held"));
    expect(await reserve("other")).toEqual({ allowed: true });
  });
  expect(await Promise.all(held)).toEqual(Array(9).fill({ allowed: true }));
  await storage.close();
});
