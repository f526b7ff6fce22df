import { expect, test } from "vitest";
import { ServiceError } from "../errors.ts";
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

test("of equal changes, the second one's refusal answers all that asked before it began", async () => {
  const { inTurn } = createSharedCalls();
  const { begun, work, end } = createWork();
  const calls = Array.from({ length: 100 }, () => inTurn(kind, "a", work));
  expect(begun()).toBe(1);
  end(0)?.resolve("done");
  await expect.poll(begun).toBe(2);
  const last = inTurn(kind, "a", work);
  end(1)?.reject(new ServiceError("not_found"));
  const [first, ...others] = await Promise.allSettled(calls);
  expect(first).toEqual({ status: "fulfilled", value: "done" });
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await expect.poll(begun).toBe(3);
  end(2)?.resolve("again");
  expect(await last).toBe("again");
});

test("equal changes that all succeed are each made once the second has succeeded", async () => {
  const { inTurn } = createSharedCalls();
  let made = 0;
  const work = async () => {
    made += 1;
    return made;
  };
  const calls = await Promise.all(Array.from({ length: 5 }, () => inTurn(kind, "a", work)));
  expect(calls.toSorted()).toEqual([1, 2, 3, 4, 5]);
});

test("equal changes are not made one after another on a storage that is away, and the next call is", async () => {
  const { inTurn } = createSharedCalls();
  const { begun, work, end } = createWork();
  const calls = [inTurn(kind, "a", work), inTurn(kind, "a", work), inTurn(kind, "a", work)];
  end(0)?.reject(new Error("no connection"));
  for (const call of calls) await expect(call).rejects.toThrow("no connection");
  expect(begun()).toBe(1);
  expect(await inTurn(kind, "a", async () => "done")).toBe("done");
});
