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

test("files within requests of one workspace leave room for those of others", () => {
  const { reserveInline } = createUploadLimits();
  const bytes = 10 * 1024 * 1024;
  const taken: (() => void)[] = [];
  const most = (workspaceId: number): number => {
    for (let count = 0; ; count += 1)
      try {
        taken.push(reserveInline(workspaceId, bytes));
      } catch (error) {
        expect(error).toMatchObject({ code: "unavailable" });
        return count;
      }
  };
  expect([most(1), most(2), most(3)]).toEqual([6, 6, 0]);
  for (const giveBack of taken) giveBack();
  expect(most(3)).toBe(6);
});
