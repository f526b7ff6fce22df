import { expect, test } from "vitest";
import { createUploadLimits } from "./upload-limits.ts";

test("workspaces with uploads under way leave places to those that have none", () => {
  const { reserveUpload } = createUploadLimits();
  const take = (workspaceId: number): (() => void) | undefined => {
    try {
      return reserveUpload(workspaceId);
    } catch {
      return undefined;
    }
  };
  const taken = Array.from({ length: 8 * 8 }, (_, index) => take(index % 8));
  const given = taken.filter((one) => one !== undefined);
  expect(given).toHaveLength(48);
  const others = Array.from({ length: 20 }, (_, index) => take(100 + index));
  expect(others.filter((one) => one !== undefined)).toHaveLength(16);
  for (const giveBack of given.slice(0, 17)) giveBack();
  expect([take(100), take(100)].map((one) => one !== undefined)).toEqual([true, false]);
});
