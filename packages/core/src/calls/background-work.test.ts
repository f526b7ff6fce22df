import { expect, test } from "vitest";
import { silentLogger } from "../ports/logger.ts";
import { createBackgroundWork } from "./background-work.ts";

test("runs in order, continues after a failure, and refuses what exceeds the limit", async () => {
  const backgroundWork = createBackgroundWork(silentLogger, 3);
  const done: string[] = [];
  backgroundWork.add(async () => void done.push("first"));
  backgroundWork.add(async () => {
    throw new Error("broken");
  });
  backgroundWork.add(async () => void done.push("third"));
  expect(() => backgroundWork.add(async () => undefined)).toThrow(
    expect.objectContaining({ code: "rate_limited" }),
  );
  expect(done).toEqual([]);
  await backgroundWork.settled();
  expect(done).toEqual(["first", "third"]);
  backgroundWork.add(async () => void done.push("fourth"));
  await backgroundWork.settled();
  expect(done).toHaveLength(3);
});
