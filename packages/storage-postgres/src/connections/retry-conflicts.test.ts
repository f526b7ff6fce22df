import { afterEach, expect, test, vi } from "vitest";
import { retryConflicts } from "./retry-conflicts.ts";

afterEach(() => vi.restoreAllMocks());

/** Runs a transaction that takes two seconds and fails with the error code; returns how often it ran. */
async function runsOf(code: string): Promise<number> {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  let runs = 0;
  const running = retryConflicts(() => {
    runs += 1;
    now += 2_000;
    return Promise.reject(Object.assign(new Error("no"), { code }));
  });
  await expect(running).rejects.toThrow("no");
  return runs;
}

test("a transaction that waited more than a second for a lock is not run again, other conflicts are", async () => {
  expect(await runsOf("55P03")).toBe(1);
  expect(await runsOf("40P01")).toBe(4);
});
