import { expect, test } from "vitest";
import { createSharedCalls } from "./shared-calls.ts";

const kind = {};

/** Work that ends when it is told to; `begun` counts how often it began. */
function createWork() {
  const ends: PromiseWithResolvers<string>[] = [];
  return {
    begun: () => ends.length,
    work: () => {
      const end = Promise.withResolvers<string>();
      ends.push(end);
      return end.promise;
    },
    end: (at: number) => ends[at],
  };
}

test("of equal calls, those that come while one is under way share the next", async () => {
  const { run } = createSharedCalls();
  const { begun, work, end } = createWork();
  const first = run(kind, "a", work);
  const later = [run(kind, "a", work), run(kind, "a", work)];
  expect(begun()).toBe(1);
  end(0)?.resolve("first");
  expect(await first).toBe("first");
  await expect.poll(begun).toBe(2);
  // This one came after the second had begun.
  const last = run(kind, "a", work);
  end(1)?.resolve("second");
  expect(await Promise.all(later)).toEqual(["second", "second"]);
  await expect.poll(begun).toBe(3);
  end(2)?.resolve("third");
  expect(await last).toBe("third");
});

test("calls of another key or kind share nothing", async () => {
  const { run } = createSharedCalls();
  const { begun, work, end } = createWork();
  const all = [run(kind, "a", work), run(kind, "b", work), run({}, "a", work)];
  expect(begun()).toBe(3);
  for (const at of [0, 1, 2]) end(at)?.resolve(String(at));
  expect(await Promise.all(all)).toEqual(["0", "1", "2"]);
});

test("work that fails is refused to those who share it, and those who wait for the next are answered by that", async () => {
  const { run } = createSharedCalls();
  const { work, end } = createWork();
  const first = run(kind, "a", work);
  const second = run(kind, "a", work);
  const third = run(kind, "a", work);
  end(0)?.reject(new Error("no connection"));
  await expect(first).rejects.toThrow("no connection");
  await expect.poll(() => end(1)).toBeDefined();
  end(1)?.resolve("done");
  expect(await Promise.all([second, third])).toEqual(["done", "done"]);
});

test("a call after all others have ended begins at once", async () => {
  const { run } = createSharedCalls();
  expect(await run(kind, "a", async () => 1)).toBe(1);
  expect(await run(kind, "a", async () => 2)).toBe(2);
});
