import { StorageUnavailable } from "@posthorn/core/storage";
import { expect, test, vi } from "vitest";
import { createRecordingLogger } from "../../test/recording-logger.ts";
import { migratePatiently } from "./migrate-patiently.ts";

const locked = () =>
  new StorageUnavailable("locked", { cause: Object.assign(new Error(), { code: "55P03" }) });

test("a migration that meets a table locked by others is tried again after a pause, and says so", async () => {
  const logger = createRecordingLogger();
  const wait = vi.fn(async (_: number) => {});
  const migrate = vi
    .fn(async () => ["0002"])
    .mockRejectedValueOnce(locked())
    .mockRejectedValueOnce(locked());
  expect(await migratePatiently(migrate, logger, wait)).toEqual(["0002"]);
  expect(wait.mock.calls).toEqual([[3_000], [3_000]]);
  expect(logger.warnings).toHaveLength(2);
});

test("it ends at any other error, and after ten minutes", async () => {
  const logger = createRecordingLogger();
  const fault = new Error("no such column");
  await expect(migratePatiently(() => Promise.reject(fault), logger)).rejects.toBe(fault);
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const late = async () => {
    clock.mockReturnValue(600_001);
    throw locked();
  };
  await expect(migratePatiently(late, logger)).rejects.toThrow("locked");
  clock.mockRestore();
  expect(logger.warnings).toEqual([]);
});
