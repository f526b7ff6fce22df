import { expect, test, vi } from "vitest";
import type { Operations } from "../ports/storage.ts";
import { createErasureKey } from "./erasure-key.ts";

test("those who ask for a key at once have it read once, and once more after a failure", async () => {
  const findFact = vi.fn<Operations["findFact"]>().mockRejectedValueOnce(new Error("away"));
  findFact.mockResolvedValue("a fact");
  const keyOf = createErasureKey({ operations: { findFact } as unknown as Operations });
  const ask = () => Promise.allSettled([1, 1, 2].map(async (workspaceId) => keyOf(workspaceId)));
  expect((await ask()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(findFact).toHaveBeenCalledTimes(1);
  expect((await ask()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  await ask();
  expect(findFact).toHaveBeenCalledTimes(2);
});
