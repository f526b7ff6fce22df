import { expect, test } from "vitest";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createSettling } from "./settling.ts";

/** Creates a settling of items such as `a1`, owned by `a`. `isLocked` tells which need locked rows; records what is tried. */
function create(
  isLocked: (item: string) => boolean,
  fault: Error = new StorageUnavailable("locked", { isLocked: true }),
) {
  const tried: string[] = [];
  const settling = createSettling<string, string>(
    {
      slots: 100,
      batch: 100,
      ownerOf: (item) => item[0],
      async settle(results) {
        tried.push(results.join(" "));
        if (results.some(isLocked)) throw fault;
      },
    },
    {
      settled: () => {},
      isHeldUp: () => false,
      isAwaited: () => false,
      isRunning: () => true,
      complain: () => () => {},
    },
  );
  const settle = async (items: string): Promise<string> => {
    const kept = await settling.settle(items.split(" ").map((item) => ({ item, result: item })));
    return kept.map(({ item }) => item).join(" ");
  };
  return { settle, tried };
}

test("where all results of an owner need locked rows, one of them is waited for", async () => {
  const { settle, tried } = create((item) => item.startsWith("a"));
  expect(await settle("a1 a2 a3 b1 a4 b2")).toBe("a2 a3 a4 a1");
  expect(tried).toEqual(["a1 a2 a3 b1 a4 b2", "a1", "b1", "b2"]);
});

test("where one result of an owner needs locked rows, its others are stored at the next try", async () => {
  const { settle } = create((item) => item === "a1");
  expect(await settle("a1 a2 a3 b1")).toBe("a2 a3 a1");
  expect(await settle("a2 a3 a1")).toBe("a1");
});

test("where one result of an owner has a fault of its own, its others are stored at once", async () => {
  const { settle } = create((item) => item === "a1", new Error("a bug"));
  expect(await settle("a1 a2 b1")).toBe("a1");
});

test("where whole tables are locked, few results are waited for", async () => {
  const { settle, tried } = create(() => true);
  expect(await settle("a1 b1 c1 d1 e1")).toBe("d1 e1 a1 b1 c1");
  expect(tried.slice(1)).toEqual(["a1", "b1", "c1"]);
});

test.each([
  ["is closed for good", "others may begin", ["a1"], { isFinal: true, isRunning: true }],
  ["is closed for good", "none may begin", [], { isFinal: true, isRunning: false }],
  ["is away for now", "none may begin", ["a1"], { isFinal: false, isRunning: false }],
])(
  "of a storage that %s while %s, these results are kept: %j",
  async (_, __, kept, { isFinal, isRunning }) => {
    const settling = createSettling<string, string>(
      { slots: 1, batch: 1, settle: () => Promise.reject(new StorageUnavailable("away", { isFinal })) },
      {
        settled: () => {},
        isHeldUp: () => false,
        isAwaited: () => false,
        isRunning: () => isRunning,
        complain: () => () => {},
      },
    );
    expect((await settling.settle([{ item: "a1", result: "a1" }])).map(({ item }) => item)).toEqual(kept);
  },
);
