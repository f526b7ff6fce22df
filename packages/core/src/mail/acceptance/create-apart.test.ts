import { expect, test } from "vitest";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createApart } from "./create-apart.ts";
import type { Submission } from "./submission.ts";

test("a workspace stays apart while locks of others are in its way, and no longer, such as once it is deleted", async () => {
  const submission = {} as Submission;
  let error: unknown = new StorageUnavailable("locked", { isLocked: true });
  const apart = createApart(() => () => Promise.reject(error));
  apart.add(7);
  await expect(apart.of(7)?.(submission)).rejects.toBe(error);
  expect(apart.size).toBe(1);
  error = new Error("the workspace is gone");
  await expect(apart.of(7)?.(submission)).rejects.toBe(error);
  expect(apart.size).toBe(0);
});
