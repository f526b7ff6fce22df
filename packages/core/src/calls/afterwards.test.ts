import { expect, test } from "vitest";
import { silentLogger } from "../ports/logger.ts";
import { createAfterwards } from "./afterwards.ts";

test("work follows in order, a failure stops nobody, and what is too much is refused", async () => {
  const afterwards = createAfterwards(silentLogger, 3);
  const done: string[] = [];
  afterwards.add(async () => void done.push("first"));
  afterwards.add(async () => {
    throw new Error("broken");
  });
  afterwards.add(async () => void done.push("third"));
  expect(() => afterwards.add(async () => undefined)).toThrow(
    expect.objectContaining({ code: "rate_limited" }),
  );
  expect(done).toEqual([]);
  await afterwards.settled();
  expect(done).toEqual(["first", "third"]);
  afterwards.add(async () => void done.push("fourth"));
  await afterwards.settled();
  expect(done).toHaveLength(3);
});
