import { expect, test } from "vitest";
import { createLoader } from "./loader.ts";

test("lookups beyond the maximum are read in pieces, each key once, and a piece that fails fails alone", async () => {
  const reads: number[][] = [];
  const find = createLoader(
    async (keys: number[]) => {
      reads.push(keys);
      if (keys.includes(3)) throw new Error("too large");
      return keys.filter((key) => key !== 5).map((key) => ({ key }));
    },
    { ofKey: (key) => key, ofValue: ({ key }) => key },
    { atMost: 2 },
  );
  const found = await Promise.allSettled([1, 2, 3, 1, 4, 5].map(find));
  expect(reads).toEqual([[1, 2], [3, 4], [5]]);
  expect(found.map((one) => (one.status === "fulfilled" ? one.value?.key : "failed"))).toEqual([
    1,
    2,
    "failed",
    1,
    "failed",
    undefined,
  ]);
});
